/** Classes of failure that a person is told of. What a runner or a platform said in its own words never leaves. */
export type FailureClass = "auth_missing" | "rate_limited" | "overloaded" | "refused" | "timed_out" | "internal";

/** Which error codes of runners belong to which class; every other code is `internal`. */
export const FAILURE_CLASS_BY_CODE: Readonly<Record<string, FailureClass>> = {
  runner_auth_missing: "auth_missing",
  runner_rate_limited: "rate_limited",
  runner_overloaded: "overloaded",
  runner_refused: "refused",
  timed_out: "timed_out",
};

/** One row of the table of failures. */
export interface FailureNotice {
  readonly text: string;
  /** Groups hear only what a person there can act upon. */
  readonly inGroups: boolean;
}

/** What is said of each class, and where. */
export const FAILURE_NOTICES: Readonly<Record<FailureClass, FailureNotice>> = {
  auth_missing: { text: "I cannot reach my model: its key is missing or no longer valid.", inGroups: true },
  rate_limited: {
    text: "My model is taking no more requests right now. Please try again in a minute.",
    inGroups: true,
  },
  overloaded: { text: "My model is overloaded right now. Please try again in a minute.", inGroups: true },
  refused: { text: "I could not answer that.", inGroups: true },
  timed_out: { text: "That took too long, so I stopped. Please try again.", inGroups: false },
  internal: { text: "Something went wrong while I was answering. Please try again.", inGroups: false },
};

/** Said in a direct chat when a turn ended with nothing to show and without having chosen silence. */
export const EMPTY_ANSWER_TEXT = "I have no answer to that.";

/** Said in a direct chat when a message is given up after its last attempt. */
export const GIVEN_UP_TEXT = "I could not handle your last message. Please send it again.";

/** Said when a turn was cut off by a restart and is not run again. */
export const CUT_OFF_TEXT = "I was restarted while answering and stopped there. Please ask again.";

/** Marks the end of a draft that stays although its turn did not come to its end. */
export const INTERRUPTED_MARK = "… (stopped)";
