import { placeKeys } from "./telegram-state.ts";
import type { Json } from "./world.ts";

/** Where an update belongs. */
export interface UpdatePlace {
  readonly kind: string;
  /** The chat, or for what happens in none the user: updates of one keep their order. */
  readonly chat: string;
  /** Keys by which faults know the place. */
  readonly places: readonly string[];
}

function objectAt(from: Json, key: string): Json {
  const value = from[key];
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

/** Reads kind and place from an update, whatever its kind. */
export function updatePlace(update: Json): UpdatePlace {
  const kind = Object.keys(update).find((key) => key !== "update_id") ?? "unknown";
  const payload = objectAt(update, kind);
  const message = objectAt(payload, "message");
  const chatId = objectAt(payload, "chat")["id"] ?? objectAt(message, "chat")["id"] ?? objectAt(payload, "from")["id"];
  const places = placeKeys(chatId, payload["message_thread_id"] ?? message["message_thread_id"]);
  return { kind, chat: places[0] ?? "", places };
}
