/** Long-term memory of an agent, asked before a run. */
export interface Memory {
  /** What is worth knowing for this message, best first; bounded by `limit` entries. */
  recall(query: {
    readonly agentId: string;
    readonly sessionKey: string;
    readonly text: string;
    readonly limit: number;
  }): Promise<readonly { readonly text: string; readonly atMs: number }[]>;
}
