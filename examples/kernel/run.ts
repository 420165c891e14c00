import { type ChannelTurnAdapter, createTurnKernel } from "@turnwire/turn-kernel";
import { clock, ids } from "./system-ports.ts";

// `run`: a channel as an adapter, all nine stages. Here a room in which the agent answers when it is mentioned.
interface RoomMessage {
  readonly id: string;
  readonly from: string;
  readonly text: string;
}

const room: ChannelTurnAdapter<RoomMessage> = {
  ingest: ({ id, text, from }) => ({ id, rawText: text, textForAgent: text.replace("@bot ", ""), raw: from }),
  classify: ({ rawText }) => ({ kind: rawText.startsWith("/") ? "command" : "message", canStartAgentTurn: true }),
  preflight: ({ rawText }) => ({
    access: { mentions: { canDetectMention: true, wasMentioned: rawText.startsWith("@bot ") } },
  }),
  resolveTurn: ({ rawText, raw }) => ({
    sender: { id: String(raw), name: String(raw) },
    conversation: { kind: "group", id: "room", label: "The room" },
    route: { agentId: "main", routeSessionKey: "agent:main:example:group:room" },
    reply: { to: "room" },
    access: {
      group: { policy: "open", routeAllowed: true, senderAllowed: true, allowFrom: [], requireMention: true },
    },
    message: { rawBody: rawText },
    delivery: {
      async deliver({ text }) {
        console.log(`to the room: ${text}`);
        return Promise.resolve({ messageIds: [ids.next()] });
      },
    },
  }),
  onFinalize: ({ admission, dispatched }) => {
    console.log(`${admission.kind}${admission.reason === undefined ? "" : ` (${admission.reason})`}, ${dispatched}`);
  },
};

const kernel = createTurnKernel({
  clock,
  ids,
  reply: async (context, sink) => sink.push({ text: `You said "${context.BodyForAgent}"` }, "final"),
});

await kernel.run({ channel: "example", raw: { id: "1", from: "Ada", text: "hello all" }, adapter: room });
await kernel.run({ channel: "example", raw: { id: "2", from: "Ada", text: "@bot hello" }, adapter: room });
