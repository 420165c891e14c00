import { expect, it } from "vitest";

import {
  createNoopChannelEventDeliveryAdapter,
  createNoopChannelTurnDeliveryAdapter,
} from "./noop-delivery-adapter.ts";

it.each([
  ["createNoopChannelTurnDeliveryAdapter", createNoopChannelTurnDeliveryAdapter],
  ["createNoopChannelEventDeliveryAdapter", createNoopChannelEventDeliveryAdapter],
])("%s sends nothing and says so", async (_name, create) => {
  const answer = await create().deliver({ text: "x" }, { kind: "final", index: 0 });
  expect(answer).toEqual({ visibleReplySent: false });
});
