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

/** Claims do not end by themselves: their owner dies with the process. */
const NO_END_MS: number = Number.POSITIVE_INFINITY;

export function claimLane(parts: LaneParts, key: string, owner: string): Fence | null {
  if (parts.claims.get(key) !== undefined) return null;
  stopRunning(parts, key);
  const fence = parts.claims.take(key, owner, NO_END_MS);
  parts.schedule.setClaimed(key, true);
  if (isTurnLane(key)) parts.lock?.noteClaim(key);
  return fence;
}

export function releaseLane(parts: LaneParts, fence: Fence, nowMs: number): boolean {
  if (!parts.claims.holds(fence)) return true;
  stopRunning(parts, fence.key);
  const readyAtMs = parts.schedule.readyAt(fence.key);
  if (readyAtMs !== null && readyAtMs <= nowMs) return false;
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
  lease: { name: string; holder: string; untilMs: number },
  nowMs: number,
): LeaseResult {
  const current = parts.claims.get(lease.name);
  if (current !== undefined && current.untilMs > nowMs) return { kind: "busy", holder: current.holder };
  return { kind: "held", fence: parts.claims.take(lease.name, lease.holder, lease.untilMs) };
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
