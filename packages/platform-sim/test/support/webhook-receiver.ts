import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One update as the bot's web server got it. */
export interface Got {
  readonly text: string;
  readonly secret: string | undefined;
}

/** How the bot answers. */
export interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A bot's web server that keeps what it gets, and answers as the test says. */
export async function startReceiver(
  answer: (got: Got, count: number) => Answer | Promise<Answer>,
): Promise<AsyncDisposable & { readonly url: string; readonly got: readonly Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const { message } = JSON.parse(await text(request)) as { message: { text: string } };
      const secret = request.headers["x-telegram-bot-api-secret-token"];
      const one = { text: message.text, secret: typeof secret === "string" ? secret : undefined };
      got.push(one);
      const { status, body = "", headers = {} } = await answer(one, got.length);
      response.writeHead(status, headers).end(body);
    };
    void respond();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
