import { createTurnKernel, createTurnScope } from "@turnwire/turn-kernel";
import { clock, ids } from "./system-ports.ts";

// `runPrepared`: a channel with a dispatcher of its own, here one live draft that grows and is finished in place.
const kernel = createTurnKernel({
  clock,
  ids,
  reply: async (_context, sink) => {
    await sink.push({ text: "One" }, "block");
    await sink.push({ text: "One, two, three." }, "final");
  },
});

const scope = createTurnScope();
await kernel.runPrepared({
  channel: "example",
  scope,
  routeSessionKey: "agent:main:main",
  ctxPayload: { RawBody: "count", SessionKey: "agent:main:main", CommandAuthorized: false },
  runDispatch: async ({ reply, signal }) => {
    scope.onRelease(() => {
      console.log("draft closed");
    });
    return reply({
      async push({ text }, kind) {
        if (!signal.aborted) console.log(kind === "final" ? `final: ${text}` : `draft: ${text}`);
        return Promise.resolve();
      },
    });
  },
});
// Whoever brings a scope ends it.
await scope.release();
