/** What kind of event it is. Only those that can become a turn of the agent's text are the kernel's. */
export interface ChannelEventClass {
  readonly kind: "message" | "command" | "interaction" | "reaction" | "lifecycle" | "unknown";
  /** False ends the turn as `handled: event:<kind>`. */
  readonly canStartAgentTurn: boolean;
  /** Makes the kernel call the adapter's `ack` once, before preflight. */
  readonly requiresImmediateAck?: boolean | undefined;
}
