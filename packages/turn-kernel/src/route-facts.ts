/** Which agent and session process the message. */
export interface RouteFacts {
  readonly agentId: string;
  readonly accountId?: string | undefined;
  /** Session key used for routing; it is the lane. */
  readonly routeSessionKey: string;
  /** Session key at dispatch, where it differs. */
  readonly dispatchSessionKey?: string | undefined;
  /** Session key of the persisted metadata, where it differs. */
  readonly persistedSessionKey?: string | undefined;
  /** Parent of a branched or threaded session. */
  readonly parentSessionKey?: string | undefined;
  /** Parent on the model's side. */
  readonly modelParentSessionKey?: string | undefined;
  /** Pins the main owner of direct conversations. */
  readonly mainSessionKey?: string | undefined;
  /** Lets the record stage create a missing session row. */
  readonly createIfMissing?: boolean | undefined;
}
