import type { Fence } from "./fence.ts";

/** Whether a lease was taken. */
export type LeaseResult =
  | { readonly kind: "held"; readonly fence: Fence }
  | { readonly kind: "busy"; readonly holder: string };

/** Named leases for listeners that must be single; the store's own clock decides expiry. */
export interface LeaseStore {
  /** Takes the lease with a new epoch when it is free, expired, or its holder is proven dead. */
  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseResult>;
  /** False when a newer epoch exists: the holder must stop at once. */
  renew(fence: Fence, ttlMs: number): Promise<boolean>;
  release(fence: Fence): Promise<void>;
}
