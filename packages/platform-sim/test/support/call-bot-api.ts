/** An answer of the Bot API over HTTP. */
export interface BotApiAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly ok: boolean;
    readonly result?: never;
    readonly description?: string;
    readonly error_code?: number;
    readonly parameters?: object;
  };
}

/** Calls a method with JSON, as any client would. */
export async function callBotApi(
  sim: { readonly apiRoot: string; readonly credentials: { readonly botToken: string } },
  method: string,
  params: object = {},
  token: string = sim.credentials.botToken,
): Promise<BotApiAnswer> {
  const response = await fetch(`${sim.apiRoot}/bot${token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(params),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: (await response.json()) as BotApiAnswer["body"],
  };
}
