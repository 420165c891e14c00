/**
 * Proof of ownership of a key (a lane, a delivery queue, a listener's lease). Every later write carries it
 * and is refused with `fenced` once a newer epoch exists: a worker that was frozen and taken for dead writes nothing.
 */
export interface Fence {
  readonly key: string;
  readonly epoch: number;
}
