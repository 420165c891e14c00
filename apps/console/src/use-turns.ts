import { useCallback, useState } from "react";

import type { TurnEvent } from "./api.ts";
import { useEventSource } from "./use-event-source.ts";

/** A turn as it grows: its stage events in order. */
export interface LiveTurn {
  readonly turnId: string;
  readonly sessionKey: string | undefined;
  readonly channel: string;
  readonly messageId: string | undefined;
  readonly admission: string | undefined;
  readonly events: readonly TurnEvent[];
}

/** Turns kept on the page. */
const KEPT_TURNS = 50;

function withEvent(turns: readonly LiveTurn[], event: TurnEvent): readonly LiveTurn[] {
  const known = turns.find((turn) => turn.turnId === event.turnId);
  const turn: LiveTurn = {
    turnId: event.turnId,
    channel: event.channel,
    sessionKey: event.sessionKey ?? known?.sessionKey,
    messageId: event.messageId ?? known?.messageId,
    admission: event.admission ?? known?.admission,
    events: [...(known?.events ?? []), event],
  };
  if (known !== undefined) return turns.map((other) => (other.turnId === event.turnId ? turn : other));
  return [turn, ...turns].slice(0, KEPT_TURNS);
}

/** Turns of this gateway as they happen, newest first. */
export function useTurns(): readonly LiveTurn[] {
  const [turns, setTurns] = useState<readonly LiveTurn[]>([]);
  const onEvent = useCallback((data: unknown) => {
    setTurns((before) => withEvent(before, data as TurnEvent));
  }, []);
  useEventSource("/api/events", "turn", onEvent);
  return turns;
}
