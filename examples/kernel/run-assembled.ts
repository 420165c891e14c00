import { createTurnKernel } from "@turnwire/turn-kernel";
import { clock, ids } from "./system-ports.ts";

// `runAssembled`: the channel has routed, authorized and built the context; the kernel records, dispatches and delivers.
const kernel = createTurnKernel({
  clock,
  ids,
  reply: async (context, sink) => {
    await sink.push({ text: "Let me see." }, "block");
    await sink.push({ text: `${context.RawBody?.length} letters.` }, "final");
  },
});

const { dispatchResult } = await kernel.runAssembled({
  channel: "example",
  routeSessionKey: "agent:main:main",
  ctxPayload: { RawBody: "hello", To: "ada", SessionKey: "agent:main:main", CommandAuthorized: false },
  recordInboundSession: ({ sessionKey }) => {
    console.log(`recorded ${sessionKey}`);
  },
  delivery: {
    deliver: async ({ text }, { kind, index }) => {
      console.log(`${index} ${kind}: ${text}`);
      return Promise.resolve({ messageIds: [`m${index}`] });
    },
    onError: (error, { kind }) => {
      console.error(`the ${kind} could not be sent`, error);
    },
  },
});
console.log(dispatchResult?.receipts.map(({ platformMessageIds }) => platformMessageIds.join()).join(" and "), "sent");
