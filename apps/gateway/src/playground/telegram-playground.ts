import { startTelegramSimulator, type SeenMessage } from "@turnwire/platform-sim";

import type { PlaygroundMessage, PlaygroundPlace, PlaygroundSimulator } from "./playground-simulator.ts";

const PLACES: readonly PlaygroundPlace[] = [
  { key: "direct", title: "Private chat", kind: "direct", in: "direct", needsMention: false, people: ["ann"] },
  { key: "group", title: "Group", kind: "group", in: "group", needsMention: true, people: ["ann", "bob"] },
  { key: "topic", title: "Topic", kind: "topic", in: "topic", needsMention: true, people: ["ann", "bob"] },
];

function messageOf(message: SeenMessage): PlaygroundMessage {
  const { messageId, by, text, edits, deleted, files, at } = message;
  return {
    messageId,
    by,
    text,
    edits,
    deleted,
    files,
    at,
    reactions: message.reactions.map((reaction) => reaction.emoji),
  };
}

/** A simulated Telegram with a person's places, and the account that connects the gateway to it. */
export async function startTelegramPlayground(): Promise<PlaygroundSimulator> {
  const simulator = await startTelegramSimulator();
  const group = simulator.defaults.places.find((place) => place.name === "group");
  return {
    platform: "telegram",
    title: "Telegram",
    bot: simulator.bot.username,
    places: PLACES,
    say: async ({ by, place, text, mentionBot }) =>
      Promise.resolve(simulator.say({ by, in: place.in, text, mentionBot })),
    view(place) {
      const { typing, draft } = simulator.place(place.in);
      const messages = simulator.messages(place.in).filter((message) => !message.draft);
      return { messages: messages.map(messageOf), draft, typing };
    },
    onChange: (listener) =>
      simulator.onChange((change) => {
        if (change.kind !== "call" && change.kind !== "event") listener();
      }),
    accountConfig: {
      botToken: simulator.credentials.botToken,
      apiRoot: simulator.apiRoot,
      dmPolicy: "open",
      groupPolicy: "allowlist",
      groups: group === undefined ? {} : { [group.id]: {} },
      streaming: { mode: "partial" },
    },
    close: simulator.close,
  };
}
