import type { AccountStatus, ChannelHealth, Clock } from "@turnwire/turn-ports";

/** What is known of an account, as `/readyz` shows it. */
export interface AccountHealth {
  readonly channel: string;
  readonly accountId: string;
  readonly status: AccountStatus;
  /** Since when it has this status, epoch ms. */
  readonly sinceMs: number;
  /** Last exchange of the listening direction that succeeded, epoch ms. */
  readonly lastExchangeMs?: number | undefined;
  /** Runs of the listener after the first. */
  readonly restarts: number;
  /** One sentence: what went wrong last and, where known, what to do. Absent once all is well. */
  readonly lastError?: string | undefined;
}

/** An account's health, derived from what its listener tells and its supervisor does. */
export interface AccountHealthTracker extends ChannelHealth {
  readonly current: () => AccountHealth;
  /** What the supervisor knows better than the listener. */
  readonly set: (status: AccountStatus, lastError?: string) => void;
  readonly restarted: () => void;
}

/** Message of any thrown thing. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Starts as `starting`; calls back on every change of status or error. */
export function createAccountHealth(options: {
  readonly channel: string;
  readonly accountId: string;
  readonly clock: Clock;
  readonly onChange: (health: AccountHealth) => void;
}): AccountHealthTracker {
  const { channel, accountId, clock, onChange } = options;
  let health: AccountHealth = { channel, accountId, status: "starting", sinceMs: clock.now(), restarts: 0 };

  function move(status: AccountStatus, lastError: string | undefined): void {
    const changed = status !== health.status;
    if (!changed && lastError === health.lastError) return;
    health = { ...health, status, lastError, sinceMs: changed ? clock.now() : health.sinceMs };
    onChange(health);
  }

  function exchanged(): void {
    health = { ...health, lastExchangeMs: clock.now() };
    move("ok", undefined);
  }

  return {
    current: () => health,
    set: move,
    restarted() {
      health = { ...health, restarts: health.restarts + 1 };
      onChange(health);
    },
    connected: exchanged,
    exchangeOk: exchanged,
    exchangeFailed(error) {
      move("degraded", sentenceOf(error));
    },
    closed(reason) {
      move("degraded", reason);
    },
    conflict(sentence) {
      move("degraded", sentence);
    },
  };
}
