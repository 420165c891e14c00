import { describe, expect, it } from "vitest";

import { TurnwireError } from "./turnwire-error.ts";

describe("TurnwireError", () => {
  it("carries code, sentence, cause and how long to wait", () => {
    const cause = new Error("before");
    const error = new TurnwireError({ code: "a_code", message: "What was wrong.", cause, retryAfterMs: 5 });
    expect(error).toMatchObject({ name: "TurnwireError", code: "a_code", message: "What was wrong.", retryAfterMs: 5 });
    expect(error.cause).toBe(cause);
    expect("cause" in new TurnwireError({ code: "a_code", message: "x" })).toBe(false);
  });

  it("is recognised by its marker, also when another copy of the package made it", () => {
    const error = new TurnwireError({ code: "a_code", message: "x" });
    const fromAnotherCopy = { code: "a_code", [Symbol.for("turnwire.error")]: true };
    expect([error, fromAnotherCopy].map((value) => TurnwireError.isInstance(value))).toEqual([true, true]);
    expect([error, fromAnotherCopy].map((value) => TurnwireError.isInstance(value, "a_code"))).toEqual([true, true]);
    expect(TurnwireError.isInstance(error, "other_code")).toBe(false);
    expect(Object.getOwnPropertyDescriptor(error, Symbol.for("turnwire.error"))?.value).toBe(true);
  });

  it.each([null, undefined, "a_code", 5, {}, new Error("x"), { code: "a_code" }])("is not %s", (value) => {
    expect(TurnwireError.isInstance(value)).toBe(false);
    expect(TurnwireError.isInstance(value, "a_code")).toBe(false);
  });

  it("without a code has none that fits", () => {
    expect(TurnwireError.isInstance({ [Symbol.for("turnwire.error")]: true }, "a_code")).toBe(false);
  });
});
