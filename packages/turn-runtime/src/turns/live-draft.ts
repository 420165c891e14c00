/** The live draft of a turn. It is closed exactly once: by its final text or with the turn. */
export interface LiveDraft {
  /** All of the visible text so far. */
  push(fullText: string): void;
  /** Ends the draft for the final text; the id of the message to edit, or null when the final is a message of its own. */
  finish(): Promise<string | null>;
  /** Takes the draft away: the turn has nothing to show, or is over. */
  cancel(): Promise<void>;
}
