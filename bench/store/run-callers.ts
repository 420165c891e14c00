/** What a run of concurrent callers measured. */
export interface CallersResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** `callers` loops share `total` calls of `call`, each awaiting one before the next. */
export async function runCallers(
  callers: number,
  total: number,
  call: (n: number) => Promise<unknown>,
): Promise<CallersResult> {
  const tookMs = new Float64Array(total);
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < total) {
      const n = next;
      next += 1;
      const from = performance.now();
      await call(n);
      tookMs[n] = performance.now() - from;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: callers }, loop));
  const elapsedMs = performance.now() - from;
  const sorted = tookMs.toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (total - 1))] ?? 0;
  return { perSecond: (total / elapsedMs) * 1_000, p50Ms: at(0.5), p99Ms: at(0.99) };
}
