import { describe, expect, it } from "vitest";

import { checkBody, VERB_FIELDS } from "./check-body.ts";

const RIGHT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  say: { by: "ann", in: -100, text: "", replyTo: 4, files: [{ name: "a", mediaType: "text/plain", base64: "" }] },
  edit: { messageId: 1, in: "group", text: "x" },
  delete: { messageId: "1", in: "group" },
  react: { messageId: "1", in: "group", by: "ann", emoji: "👍", remove: false },
  press: { messageId: "1", in: "group", by: "ann", button: "yes" },
  command: { by: "ann", in: "group", name: "help" },
  people: { name: "cleo" },
  places: { kind: "group", name: "team", members: ["ann", 1002] },
  join: { who: "ann", in: "group" },
  leave: { who: "ann", in: "group" },
};

describe("the fields of control calls", () => {
  it("has an example of each verb", () => {
    expect(Object.keys(RIGHT)).toEqual(Object.keys(VERB_FIELDS));
  });

  it.each(Object.entries(RIGHT))("/%s takes %j, and fields that it does not know", (verb, body) => {
    expect(() => {
      checkBody(verb, { ...body, note: "more" });
    }).not.toThrow();
  });

  it.each(
    Object.entries(VERB_FIELDS).flatMap(([verb, fields]) =>
      Object.keys(fields).map((field) => ({ verb, field, isOptional: fields[field]?.endsWith("?") === true })),
    ),
  )("/$verb: $field, may be absent $isOptional, is never of a wrong kind", ({ verb, field, isOptional }) => {
    const { [field]: _, ...without } = RIGHT[verb] ?? {};
    const check = (body: Readonly<Record<string, unknown>>) => (): void => {
      checkBody(verb, body);
    };
    if (isOptional) expect(check(without)).not.toThrow();
    else expect(check(without)).toThrow(expect.objectContaining({ field }) as Error);
    expect(check({ ...without, [field]: [{ not: "this" }] })).toThrow(expect.objectContaining({ field }) as Error);
  });
});
