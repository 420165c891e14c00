import { FAILURE_CLASS_BY_CODE, FAILURE_NOTICES, type FailureClass } from "./notice-texts.ts";

/** What is known of a turn that failed. */
export interface FailedTurn {
  readonly chatKind: "direct" | "group" | "channel";
  /** Stable code of the failure, e.g. `timed_out` or a runner's own. */
  readonly code: string;
  /** The runner's own sentence for people; used for classified failures only. */
  readonly userText?: string | undefined;
  /** `/verbose full` in a direct chat shows the code as well. */
  readonly verbose: "on" | "off" | "full";
}

/** The class of a failure, by its code. */
export function failureClassOf(code: string): FailureClass {
  return FAILURE_CLASS_BY_CODE[code] ?? "internal";
}

/** What the person is told, or null for silence. */
export function decideFailureText(failed: FailedTurn): string | null {
  const failureClass = failureClassOf(failed.code);
  const notice = FAILURE_NOTICES[failureClass];
  const isDirect = failed.chatKind === "direct";
  if (!isDirect && !notice.inGroups) return null;
  const text = failureClass === "internal" ? notice.text : (failed.userText ?? notice.text);
  return isDirect && failed.verbose === "full" ? `${text} (${failed.code})` : text;
}
