import {
  type Channel,
  type ChannelContext,
  type ChannelHealth,
  type ChannelInbox,
  TurnwireError,
} from "@turnwire/turn-ports";

/** How long a listener may take to stop, ms; then it is left behind. */
export const STOP_GRACE_MS = 10_000;

/**
 * Runs a listener until it ends, or until its time is over after it was told to stop.
 * From then on nothing of it counts any more: its inbox refuses, and its health is not heard.
 */
export async function runListener(channel: Channel, context: ChannelContext): Promise<void> {
  const { signal, clock, log } = context;
  const overdue = Promise.withResolvers<void>();
  let isOver = false;
  let cancel = (): void => {};
  const watchStop = (): void => {
    cancel = clock.setTimer(() => {
      log.error({}, "The listener does not stop when it is told to; it is left behind");
      overdue.resolve();
    }, STOP_GRACE_MS);
  };
  if (signal.aborted) watchStop();
  else signal.addEventListener("abort", watchStop, { once: true });

  const inbox: ChannelInbox = {
    async accept(events, options) {
      if (!isOver) return context.inbox.accept(events, options);
      const message = `The listener of ${channel.id}:${channel.accountId} was stopped; what it still brings comes again by the platform.`;
      throw new TurnwireError({ code: "lease_lost", message });
    },
  };
  const hear =
    <Args extends readonly unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args): void => {
      if (!isOver) tell(...args);
    };
  const health: ChannelHealth = {
    connected: hear(() => context.health.connected()),
    exchangeOk: hear(() => context.health.exchangeOk()),
    exchangeFailed: hear((error: unknown) => context.health.exchangeFailed(error)),
    closed: hear((reason: string) => context.health.closed(reason)),
    conflict: hear((sentence: string) => context.health.conflict(sentence)),
  };
  try {
    await Promise.race([channel.start({ ...context, inbox, health }), overdue.promise]);
  } finally {
    isOver = true;
    cancel();
    signal.removeEventListener("abort", watchStop);
  }
}
