import type { ChannelTurnAdapter, ChannelTurnResolved, ChannelTurnResult } from "@turnwire/turn-kernel";
import { TurnwireError, type InboundBatch } from "@turnwire/turn-ports";

import type { LivePass } from "./live-pass.ts";
import { recordSession } from "./record-session.ts";

/** The channel's adapter as one pass uses it: its callbacks unchanged, their results noted down. */
export function createPassAdapter(
  adapter: ChannelTurnAdapter<InboundBatch>,
  pass: LivePass,
  onFinalize: (result: ChannelTurnResult) => void,
): ChannelTurnAdapter<InboundBatch> {
  return {
    ingest: (raw) => adapter.ingest(raw),
    ...(adapter.classify === undefined ? {} : { classify: adapter.classify.bind(adapter) }),
    ...(adapter.preflight === undefined ? {} : { preflight: adapter.preflight.bind(adapter) }),
    async resolveTurn(input, eventClass, preflight, context) {
      const resolved = await adapter.resolveTurn(input, eventClass, preflight, context);
      assertRoute(resolved, pass);
      const recorded: ChannelTurnResolved = {
        ...resolved,
        recordInboundSession: (params) => recordSession(params, pass.agent?.id ?? "", pass.request.step),
      };
      pass.resolved = recorded;
      return recorded;
    },
    async onFinalize(result) {
      onFinalize(result);
      await adapter.onFinalize?.(result);
    },
  };
}

/** The lane was chosen from the envelope; a turn that resolves to another session would run in the wrong one. */
function assertRoute(resolved: ChannelTurnResolved, pass: LivePass): void {
  const routed = resolved.route?.routeSessionKey ?? resolved.routeSessionKey;
  if (routed === undefined || routed === pass.sessionKey || resolved.admission?.kind === "drop") return;
  throw new TurnwireError({
    code: "route_drift",
    message: `The turn resolved to session ${routed}, but its event waits in the lane of ${pass.sessionKey}; envelope and resolveTurn of the channel must give the same peer and thread.`,
  });
}
