import { createChannelHistoryWindow } from "@turnwire/turn-kernel";

// What came since the agent last answered in a group, and the message that it is to answer now.
const history = createChannelHistoryWindow({ isReadable: (path) => path.endsWith(".png") });
const historyKey = "room";

history.record({ historyKey, entry: { sender: "Ada", body: "Look at this." } });
await history.recordWithMedia({
  historyKey,
  entry: { sender: "Ada", body: "", messageId: "2" },
  media: [{ kind: "image", path: "picture.png" }],
});
console.log(
  history.buildPendingContext({
    historyKey,
    currentMessage: "Bob: What do you think, bot?",
    formatEntry: ({ sender, body, media }) => `${sender}: ${body === "" ? `[${media?.length} picture]` : body}`,
  }),
);
// Answered: from here on it begins anew.
history.clear({ historyKey });
console.log(history.buildInboundHistory({ historyKey }) ?? "nothing since");
