/** One stage of a turn. */
export interface Stage {
  readonly stage: string;
  readonly event: string;
  readonly atMs: number;
  readonly durationMs?: number;
  readonly reason?: string;
}

/** A turn's pass, as `/api/turns` lists it. */
export interface Turn {
  readonly turnId: string;
  readonly sessionKey?: string;
  readonly channel: string;
  readonly accountId: string;
  readonly messageId?: string;
  readonly attempt: number;
  readonly pass: string;
  readonly admission?: string;
  readonly reason?: string;
  readonly outcome?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly stages: readonly Stage[];
}

/** One stage as it happens, from `/api/events`. */
export interface TurnEvent extends Stage {
  readonly turnId: string;
  readonly sessionKey?: string;
  readonly channel: string;
  readonly accountId?: string;
  readonly messageId?: string;
  readonly admission?: string;
}

/** An account's health. */
export interface Account {
  readonly channel: string;
  readonly accountId: string;
  readonly status: string;
  readonly sinceMs: number;
  readonly lastExchangeMs?: number;
  readonly restarts: number;
  readonly lastError?: string;
}

/** A place of the playground. */
export interface Place {
  readonly key: string;
  readonly title: string;
  readonly kind: string;
  readonly needsMention: boolean;
  readonly people: readonly string[];
}

/** One simulated platform. */
export interface Pane {
  readonly platform: string;
  readonly title: string;
  readonly bot: string;
  readonly places: readonly Place[];
}

/** A message as a person sees it. */
export interface Message {
  readonly messageId: string;
  readonly by: string;
  readonly text: string;
  readonly edits: number;
  readonly deleted: boolean;
  readonly reactions: readonly string[];
  readonly files: readonly string[];
  readonly at: number;
}

/** What a place shows. */
export interface View {
  readonly messages: readonly Message[];
  readonly draft: string | null;
  readonly typing: boolean;
}

/** An answer of the API that is no success; `status` tells which. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls the gateway's API. */
export async function api<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(
    path,
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  if (!response.ok) {
    const answer: unknown = await response.json().catch(() => null);
    const message =
      typeof answer === "object" && answer !== null && "message" in answer
        ? String(answer.message)
        : `The gateway answered ${response.status}.`;
    throw new ApiError(response.status, message);
  }
  return (await response.json()) as T;
}
