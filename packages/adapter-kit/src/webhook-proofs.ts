import { TurnwireError } from "@turnwire/turn-kernel";

/** A handle that stands for something which only its maker can look up, and only once. */
export interface ProofDesk<Handle extends object, Held> {
  readonly mint: (held: Held) => Handle;
  /** Gives what the handle stands for and forgets it. @throws TurnwireError `webhook_proof_invalid` */
  readonly take: (handle: Handle) => Held;
}

/**
 * Handles are frozen, empty and without a prototype: there is nothing to copy. What they stand for is found by the
 * handle's identity alone, so a copy, a look-alike, or a handle that came back from JSON stands for nothing.
 */
export function createProofDesk<Handle extends object, Held>(step: string): ProofDesk<Handle, Held> {
  const held = new WeakMap<object, { readonly value: Held }>();
  return {
    mint(value) {
      const handle = Object.freeze(Object.create(null) as object);
      held.set(handle, { value });
      // The one place where the opaque type is given: its property exists for the compiler only.
      return handle as Handle;
    },
    take(handle) {
      const found = held.get(handle);
      if (found === undefined) {
        throw new TurnwireError({
          code: "webhook_proof_invalid",
          message: `A webhook must be ${step} once, by the step before: this proof was used already or was not made there.`,
        });
      }
      held.delete(handle);
      return found.value;
    },
  };
}
