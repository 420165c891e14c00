/** A platform event in the one shape that all stages behind `ingest` read. */
export interface NormalizedTurnInput {
  /** Stable message id, used for dedupe and logs. */
  readonly id: string;
  /** Epoch ms. */
  readonly timestamp?: number | undefined;
  /** The body as the platform sent it. */
  readonly rawText: string;
  /** The body for the agent: mention stripped, trimmed. */
  readonly textForAgent?: string | undefined;
  /** The body that `/command` parsing reads. */
  readonly textForCommands?: string | undefined;
  /** The original, passed through for the adapter's own callbacks. */
  readonly raw?: unknown;
}
