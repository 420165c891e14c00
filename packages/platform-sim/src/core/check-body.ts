import { ControlError } from "./control-error.ts";

/** What a field of a control call may hold. */
type FieldKind = "text" | "name" | "id" | "flag" | "names" | "object" | "files";

/** Fields of a control call; those that end in `?` may be left out. */
type Fields = Readonly<Record<string, FieldKind | `${FieldKind}?`>>;

/** The verbs of the control surface, the same for all platforms. */
export const VERB_FIELDS: Readonly<Record<string, Fields>> = {
  say: {
    by: "id",
    in: "id",
    text: "text",
    thread: "id?",
    replyTo: "id?",
    mentionBot: "flag?",
    files: "files?",
    native: "object?",
  },
  edit: { messageId: "id", in: "id", text: "text" },
  delete: { messageId: "id", in: "id" },
  react: { messageId: "id", in: "id", by: "id", emoji: "name", remove: "flag?" },
  press: { messageId: "id", in: "id", by: "id", button: "name" },
  command: { by: "id", in: "id", name: "name", text: "text?", thread: "id?" },
  people: { name: "name", isBot: "flag?" },
  places: { kind: "name", name: "name", members: "names?", parent: "id?" },
  join: { who: "id", in: "id" },
  leave: { who: "id", in: "id" },
};

const isText = (value: unknown): boolean => typeof value === "string";
const isName = (value: unknown): boolean => isText(value) && value !== "";
const isId = (value: unknown): boolean => isName(value) || Number.isInteger(value);
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const KINDS: Readonly<Record<FieldKind, readonly [isRight: (value: unknown) => boolean, expected: string]>> = {
  text: [isText, "a string"],
  name: [isName, "a string that is not empty"],
  id: [isId, "a name or a native id"],
  flag: [(value) => typeof value === "boolean", "true or false"],
  names: [(value) => Array.isArray(value) && value.every(isId), "a list of names or native ids"],
  object: [isObject, "a JSON object"],
  files: [
    (value) =>
      Array.isArray(value) &&
      value.every(
        (file: unknown) =>
          isObject(file) &&
          ["name", "mediaType", "base64"].every((field) => isText((file as Record<string, unknown>)[field])),
      ),
    "a list of { name, mediaType, base64 }",
  ],
};

/** Checks the fields of a verb; others are let through. @throws ControlError naming the first that is wrong. */
export function checkBody(verb: string, body: Readonly<Record<string, unknown>>): void {
  for (const [field, kind] of Object.entries(VERB_FIELDS[verb] ?? {})) {
    const value = body[field];
    const isOptional = kind.endsWith("?");
    if (isOptional && value === undefined) continue;
    const [isRight, expected] = KINDS[kind.replace("?", "") as FieldKind];
    if (isRight(value)) continue;
    throw new ControlError(
      `${value === undefined ? `There is no ${field}` : `${field} is wrong`}: /${verb} needs ${expected} there.`,
      field,
      expected,
    );
  }
}
