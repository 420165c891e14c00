import { describe, expect, it } from "vitest";

import { ACCOUNT_GRACE_MS, type AccountReport, decideReadiness } from "./health-routes.ts";

const NOW = 1_000_000;

function account(status: AccountReport["status"], sinceMs: number = NOW): AccountReport {
  return { channel: "telegram", accountId: status, status, sinceMs, restarts: 0 };
}

describe("decideReadiness", () => {
  it.each([
    { case: "no account", accounts: [], ready: true },
    { case: "all connected", accounts: [account("ok"), account("ok", 0)], ready: true },
    {
      case: "one starting within its grace",
      accounts: [account("ok"), account("starting", NOW - ACCOUNT_GRACE_MS)],
      ready: true,
    },
    {
      case: "one starting for too long",
      accounts: [account("ok"), account("starting", NOW - ACCOUNT_GRACE_MS - 1)],
      ready: false,
    },
    { case: "one retrying within its grace", accounts: [account("degraded", NOW - 1)], ready: true },
    { case: "one degraded for too long", accounts: [account("degraded", 0)], ready: false },
    { case: "one failed beside one that works", accounts: [account("failed", 0), account("ok")], ready: true },
    { case: "one in standby beside one that works", accounts: [account("standby", 0), account("ok")], ready: true },
    { case: "only failed ones", accounts: [account("failed")], ready: false },
    { case: "only stopped and standby ones", accounts: [account("stopped"), account("standby")], ready: false },
  ])("$case: ready = $ready", ({ accounts, ready }) => {
    expect(decideReadiness({ storeAnswers: true, draining: false, accounts, nowMs: NOW })).toBe(ready);
  });

  it.each([
    { storeAnswers: false, draining: false },
    { storeAnswers: true, draining: true },
  ])("is never ready with %j", (state) => {
    expect(decideReadiness({ ...state, accounts: [account("ok")], nowMs: NOW })).toBe(false);
  });
});
