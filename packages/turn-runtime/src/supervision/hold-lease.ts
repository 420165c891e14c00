import type { Clock, Fence, LeaseStore, Logger } from "@turnwire/turn-ports";

/** How long a lease holds without being renewed, ms; a dead holder's listener is taken over after it. */
export const LEASE_TTL_MS = 10_000;
/** How often it is renewed, ms: three tries may fail before it runs out. */
export const LEASE_RENEW_MS = 2_500;
/** The holder stops by itself so long before the end, ms: it must have let go when another takes it. */
export const LEASE_MARGIN_MS = 1_500;

/** A lease that is held and kept. */
export interface HeldLease {
  readonly fence: Fence;
  /** Aborted when the lease is lost or can no longer be proven to be held. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
}

/** What keeping a lease needs. */
export interface LeaseOptions {
  readonly leases: LeaseStore;
  readonly name: string;
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tries once; null while somebody else holds it. */
export async function tryHoldLease(options: LeaseOptions): Promise<HeldLease | null> {
  const { leases, name, holder, clock, log } = options;
  const askedAtMs = clock.monotonic();
  const result = await leases.acquire(name, holder, LEASE_TTL_MS);
  if (result.kind === "busy") return null;
  const { fence } = result;
  const lost = new AbortController();
  let isOver = false;
  // Counted from before the request: the store's term began after it, so this side always ends first.
  let safeUntilMs = askedAtMs + LEASE_TTL_MS - LEASE_MARGIN_MS;
  let cancelRenewal = (): void => {};
  let cancelEnd = (): void => {};

  function end(reason: string): void {
    if (isOver) return;
    isOver = true;
    cancelRenewal();
    cancelEnd();
    lost.abort(reason);
  }

  function watchEnd(): void {
    cancelEnd();
    cancelEnd = clock.setTimer(() => {
      end("lease_expired");
    }, safeUntilMs - clock.monotonic());
  }

  async function renew(): Promise<void> {
    const atMs = clock.monotonic();
    try {
      if (!(await leases.renew(fence, LEASE_TTL_MS))) {
        end("lease_lost");
        return;
      }
      safeUntilMs = atMs + LEASE_TTL_MS - LEASE_MARGIN_MS;
      if (!isOver) watchEnd();
    } catch (error) {
      log.warn({ lease: name, error }, "The lease could not be renewed; it is tried again until it runs out");
    }
    if (!isOver) planRenewal();
  }

  function planRenewal(): void {
    cancelRenewal = clock.setTimer(() => void renew(), LEASE_RENEW_MS);
  }

  planRenewal();
  watchEnd();
  return {
    fence,
    lost: lost.signal,
    async release() {
      end("released");
      await leases.release(fence);
    },
  };
}
