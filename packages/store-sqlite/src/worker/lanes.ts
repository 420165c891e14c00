import type { Fence, LeaseResult } from "@turnwire/turn-ports";

import type { Claims } from "./claims.ts";
import type { Database } from "./database.ts";
import { inboxWriteSql } from "./inbox-sql.ts";
import type { LaneSchedule } from "./lane-schedule.ts";
import type { OwnerLock } from "./owner-lock.ts";

/** What lanes and leases are kept with. */
export interface LaneParts {
  readonly db: Database;
  readonly claims: Claims;
  readonly schedule: LaneSchedule;
  /** Null for a store in memory. */
  readonly lock: OwnerLock | null;
}

/** Ends of leases are on the monotonic clock: they do not outlive the process, and no jump of the wall clock ends one. */
export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

/** Claims do not end by themselves: their owner dies with the process. */
const NO_END_MS: number = Number.POSITIVE_INFINITY;

export function claimLane(parts: LaneParts, key: string, owner: string): Fence | null {
  if (parts.claims.get(key) !== undefined) return null;
  // First what may fail on a full disk: a claim that its asker never learned of would hold the lane for ever.
  stopRunning(parts, key);
  if (isTurnLane(key)) parts.lock?.noteClaim(key);
  const fence = parts.claims.take(key, owner, NO_END_MS);
  parts.schedule.setClaimed(key, true);
  return fence;
}

export function releaseLane(parts: LaneParts, fence: Fence, dueMs: number): boolean {
  if (!parts.claims.holds(fence)) return true;
  stopRunning(parts, fence.key);
  const readyAtMs = parts.schedule.readyAt(fence.key);
  if (readyAtMs !== null && readyAtMs <= dueMs) return false;
  giveUp(parts, fence);
  return true;
}

/** Answers whether there was a claim to give up. */
export function abandonLane(parts: LaneParts, fence: Fence): boolean {
  if (!parts.claims.holds(fence)) return false;
  stopRunning(parts, fence.key);
  giveUp(parts, fence);
  return true;
}

export function acquireLease(
  parts: LaneParts,
  { name, holder, ttlMs }: LeaseRequest,
  monotonicMs: number,
): LeaseResult {
  const current = parts.claims.get(name);
  if (current !== undefined && current.untilMs > monotonicMs) return { kind: "busy", holder: current.holder };
  return { kind: "held", fence: parts.claims.take(name, holder, monotonicMs + ttlMs) };
}

export function renewLease(parts: LaneParts, fence: Fence, untilMs: number): boolean {
  if (!parts.claims.holds(fence)) return false;
  parts.claims.extend(fence, untilMs);
  return true;
}

function giveUp({ claims, schedule, lock }: LaneParts, fence: Fence): void {
  claims.drop(fence);
  schedule.setClaimed(fence.key, false);
  if (isTurnLane(fence.key)) lock?.noteRelease(fence.key);
}

/** Nobody runs the rows of a lane that changes hands: they wait again. Nearly always there are none, and nothing is written. */
function stopRunning({ db, schedule }: LaneParts, key: string): void {
  if (db.get(inboxWriteSql.runningOfLane, key) === undefined) return;
  db.run(inboxWriteSql.stopLane, key);
  schedule.refresh(key);
}

function isTurnLane(key: string): boolean {
  return !key.startsWith("deliver:");
}
