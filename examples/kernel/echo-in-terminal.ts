import { createTurnKernel, type ReplyPayload } from "@turnwire/turn-kernel";
import { clock, ids } from "./system-ports.ts";

const place = { conversation: { kind: "direct", id: "tty" }, reply: { to: "tty" } } as const;
const person = { sender: { id: "ada" }, access: { dm: { decision: "allow", allowFrom: ["ada"] } } } as const;
const route = { agentId: "main", routeSessionKey: "agent:main:main" };
const delivery = { deliver: async ({ text }: ReplyPayload) => console.log(text) };

const kernel = createTurnKernel({
  clock,
  ids,
  reply: (ctx, sink) => sink.push({ text: `Echo: ${ctx.RawBody}` }, "final"),
});
await kernel.run({
  channel: "terminal",
  raw: "hello",
  adapter: {
    ingest: (line) => ({ id: ids.next(), rawText: line }),
    resolveTurn: ({ rawText }) => ({ ...place, ...person, route, delivery, message: { rawBody: rawText } }),
  },
});
