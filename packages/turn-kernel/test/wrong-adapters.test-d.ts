/** Compiled, never run: each mistake below is one that the compiler finds. An expectation without its error fails the type check. */
import type { AccessFacts } from "../src/access-facts.ts";
import type { ChannelTurnDeliveryAdapter } from "../src/channel-delivery.ts";
import type { ChannelTurnAdapter, ChannelTurnResolved } from "../src/channel-turn-adapter.ts";
import type { ChannelTurnAdmission } from "../src/channel-turn-admission.ts";
import type { ConversationFacts } from "../src/conversation-facts.ts";
import type { FinalizedMsgContext } from "../src/finalized-msg-context.ts";
import type { InboundMediaFacts } from "../src/inbound-media-facts.ts";
import type { MessageReceipt } from "../src/message-receipt.ts";
import type { NormalizedTurnInput } from "../src/normalized-turn-input.ts";
import type { PreflightFacts } from "../src/preflight-facts.ts";
import type { RunDispatchControls } from "../src/prepared-channel-turn.ts";
import type { ReplyPayload } from "../src/reply-payload.ts";
import type { TurnKernel } from "../src/turn-kernel-api.ts";
import type { TurnScope } from "../src/turn-scope.ts";

declare const kernel: TurnKernel;
declare const scope: TurnScope;
declare const controls: RunDispatchControls;
declare const turn: ChannelTurnResolved;
declare const context: FinalizedMsgContext;
declare const input: NormalizedTurnInput;

const deliver = async (): Promise<void> => Promise.resolve();
const sound: ChannelTurnAdapter<string> = {
  ingest: (raw) => ({ id: raw, rawText: raw }),
  resolveTurn: () => ({ message: { rawBody: "x" }, delivery: { deliver } }),
};

export const adapters: readonly ChannelTurnAdapter<string>[] = [
  sound,
  // @ts-expect-error -- an adapter must resolve turns
  { ingest: sound.ingest },
  // @ts-expect-error -- a message has a text
  { ...sound, ingest: (raw: string) => ({ id: raw }) },
  // @ts-expect-error -- ids are strings
  { ...sound, ingest: () => ({ id: 5, rawText: "x" }) },
  // @ts-expect-error -- nothing is null, not undefined
  { ...sound, ingest: () => undefined },
  // @ts-expect-error -- the raw event is a string here
  { ...sound, ingest: (raw: number) => ({ id: String(raw), rawText: "x" }) },
  // @ts-expect-error -- no such kind of event
  { ...sound, classify: () => ({ kind: "typing", canStartAgentTurn: false }) },
  // @ts-expect-error -- a class says whether a turn may start
  { ...sound, classify: () => ({ kind: "message" }) },
  // @ts-expect-error -- no such admission
  { ...sound, preflight: () => ({ kind: "ignore" }) },
  // @ts-expect-error -- a turn is delivered by the dispatcher or by the channel
  { ...sound, resolveTurn: () => ({ message: { rawBody: "x" } }) },
];

export const deliveries: readonly ChannelTurnDeliveryAdapter[] = [
  { deliver },
  // @ts-expect-error -- a send that tells nothing later, not even that it is done
  { deliver: () => {} },
  // @ts-expect-error -- message ids are strings
  { deliver: async () => Promise.resolve({ messageIds: [1] }) },
  // @ts-expect-error -- durable delivery is asked for by its options
  { deliver, durable: true },
];

export const turns: readonly ChannelTurnResolved[] = [
  { message: { rawBody: "x" }, delivery: { deliver } },
  // @ts-expect-error -- assembled or prepared, not both
  { message: { rawBody: "x" }, delivery: { deliver }, runDispatch: async () => Promise.resolve() },
  // @ts-expect-error -- message facts have a raw body
  { message: { bodyForAgent: "x" }, delivery: { deliver } },
  // @ts-expect-error -- a reply goes somewhere
  { message: { rawBody: "x" }, reply: { messageThreadId: "t" }, delivery: { deliver } },
  // @ts-expect-error -- a route names its agent
  { message: { rawBody: "x" }, route: { routeSessionKey: "s" }, delivery: { deliver } },
  // @ts-expect-error -- no such policy
  { message: { rawBody: "x" }, contextVisibility: "none", delivery: { deliver } },
];

export const admissions: readonly ChannelTurnAdmission[] = [
  { kind: "drop", recordHistory: true },
  // @ts-expect-error -- only a dropped message is remembered
  { kind: "handled", recordHistory: true },
  // @ts-expect-error -- a reason is a text
  { kind: "drop", reason: 5 },
];

// @ts-expect-error -- a place is direct, group or channel
export const place: ConversationFacts = { kind: "thread", id: "1" };
// @ts-expect-error -- access facts hold decisions, not a boolean
export const access: AccessFacts = { dm: true };
// @ts-expect-error -- history has a limit
export const history: PreflightFacts = { history: { key: "k" } };
// @ts-expect-error -- no such kind of media
export const media: InboundMediaFacts = { kind: "sticker" };
// @ts-expect-error -- a receipt says when
export const receipt: MessageReceipt = { platformMessageIds: ["1"], parts: [] };
// @ts-expect-error -- a payload's text is a text
export const payload: ReplyPayload = { text: null };

export function facts(): void {
  // @ts-expect-error -- facts are never changed
  input.rawText = "y";
  // @ts-expect-error -- neither is a context
  context.Body = "y";
  // @ts-expect-error -- nor what is inside
  context.MediaPaths?.push("y");
  // @ts-expect-error -- nor a resolved turn
  turn.channel = "y";
}

export async function calls(): Promise<void> {
  // @ts-expect-error -- `run` needs an adapter
  await kernel.run({ channel: "c", raw: "x" });
  // @ts-expect-error -- and a channel
  await kernel.run({ raw: "x", adapter: sound });
  // @ts-expect-error -- and an adapter for this raw event
  await kernel.run({ channel: "c", raw: 5, adapter: sound });
  // @ts-expect-error -- a finished context is what `runAssembled` is for
  await kernel.runAssembled({ channel: "c", delivery: { deliver } });
  // @ts-expect-error -- the channel dispatches a prepared turn
  await kernel.runPrepared({ channel: "c", ctxPayload: context });
  // @ts-expect-error -- every context says whether commands are authorized
  await kernel.runAssembled({ channel: "c", ctxPayload: {}, delivery: { deliver } });
  // @ts-expect-error -- a part goes somewhere
  await controls.send("part", {});
  // @ts-expect-error -- no such reason
  scope.abort("bored");
}
