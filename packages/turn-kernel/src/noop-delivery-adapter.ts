import type { ChannelEventDeliveryAdapter, ChannelTurnDeliveryAdapter } from "./channel-delivery.ts";

/** A delivery that cannot send: what an `observeOnly` turn gets. */
export function createNoopChannelTurnDeliveryAdapter(): ChannelTurnDeliveryAdapter {
  return { deliver: async () => Promise.resolve({ visibleReplySent: false }) };
}

/** The other seed's name for the same. */
export function createNoopChannelEventDeliveryAdapter(): ChannelEventDeliveryAdapter {
  return createNoopChannelTurnDeliveryAdapter();
}
