/** The agent runs and its reply is seen. */
export interface DispatchAdmission {
  readonly kind: "dispatch";
  readonly reason?: string | undefined;
}

/** The agent runs end to end, and nothing visible leaves. */
export interface ObserveOnlyAdmission {
  readonly kind: "observeOnly";
  readonly reason?: string | undefined;
}

/** The event was consumed locally; no dispatch. */
export interface HandledAdmission {
  readonly kind: "handled";
  readonly reason?: string | undefined;
}

/** The event is left out; with `recordHistory` it stays as context for a later mention. */
export interface DropAdmission {
  readonly kind: "drop";
  readonly reason?: string | undefined;
  readonly recordHistory?: boolean | undefined;
}

/** Whether a turn goes on. Returned, never thrown. */
export type ChannelTurnAdmission = DispatchAdmission | ObserveOnlyAdmission | HandledAdmission | DropAdmission;
