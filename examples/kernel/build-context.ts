import { buildContext, toInboundMediaFacts } from "@turnwire/turn-kernel";

// `buildContext`: facts to the context that an agent reads. Pure; what has no source is absent.
const context = buildContext({
  channel: "example",
  messageId: "42",
  sender: { id: "u1", name: "Ada" },
  conversation: { kind: "group", id: "room", label: "The room" },
  message: { rawBody: "what is this?", bodyForAgent: "what is this?" },
  media: toInboundMediaFacts([
    { url: "https://example.org/1.png", contentType: "image/png" },
    { path: "2.ogg", contentType: "audio/ogg", transcribed: true },
  ]),
  supplemental: { quote: { id: "41", body: "a secret", senderAllowed: false } },
  contextVisibility: "allowlist",
});
console.log(JSON.stringify(context, null, 2));
