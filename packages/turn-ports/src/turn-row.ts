/** One stage of a turn as the console shows it. */
export interface TurnStageRecord {
  readonly stage: string;
  readonly event: string;
  readonly atMs: number;
  readonly durationMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** What is kept of a turn after it ended: no bodies. */
export interface TurnRow {
  readonly turnId: string;
  readonly sessionKey?: string | undefined;
  readonly channel: string;
  readonly accountId: string;
  readonly messageId?: string | undefined;
  readonly attempt: number;
  readonly pass: "admission" | "run";
  readonly admission?: string | undefined;
  readonly reason?: string | undefined;
  readonly outcome?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly stages: readonly TurnStageRecord[];
}

/** Reads of ended turns; the newest 10,000 are kept. */
export interface TurnLog {
  get(turnId: string): Promise<readonly TurnRow[]>;
  list(filter: {
    readonly sessionKey?: string | undefined;
    readonly beforeMs?: number | undefined;
    readonly limit: number;
  }): Promise<readonly TurnRow[]>;
}
