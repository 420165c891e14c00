/** How an acknowledged message's turn ended, as its reaction shows it. */
export type AckEnding = "done" | "failed" | "none";

/** One reaction on one message, from the start of work on it to its end. */
export interface AckReactionLease {
  /** Replaces or removes the reaction. Waits for the call that put it there; the first ending counts. Never throws. */
  readonly settle: (ending: AckEnding) => Promise<void>;
}

/** What the reactions are, and how they are put there. */
export interface AckReactionLeaseOptions {
  readonly working: string;
  /** Absent: the reaction is removed. */
  readonly done?: string | undefined;
  /** Absent: the reaction is removed. */
  readonly failed?: string | undefined;
  /** Makes `emoji` the one reaction of ours on the message; null removes it. */
  readonly set: (emoji: string | null) => Promise<unknown>;
}

/** Puts the reaction there at once. At no time are there two of them, and a call that failed has no follower. */
export function createAckReactionLease(options: AckReactionLeaseOptions): AckReactionLease {
  const { working, set } = options;
  const attempt = (emoji: string | null): Promise<boolean> =>
    Promise.resolve(emoji)
      .then(set)
      .then(
        () => true,
        () => false,
      );
  const begun = attempt(working);
  let settled: Promise<void> | null = null;

  async function end(ending: AckEnding): Promise<void> {
    // A reaction that could not be put there, e.g. one that the chat does not allow, is not to be replaced either.
    if (!(await begun)) return;
    const next = ending === "none" ? undefined : options[ending];
    if (next !== working) await attempt(next ?? null);
  }
  return {
    settle: (ending) => (settled ??= end(ending)),
  };
}
