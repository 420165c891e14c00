import type { AcceptOutcome, InboxCounts, InboxEnding, InboxInsert, InboxStatus } from "@turnwire/turn-ports";

/** A row as the model sees it. */
export interface ModelRow {
  readonly id: number;
  readonly laneKey: string;
  readonly messageId: string;
  readonly control: boolean;
  readonly scope: string | null;
  readonly status: InboxStatus;
  readonly attempt: number;
  readonly notBeforeMs: number;
  readonly payload: unknown;
}

/**
 * The inbox and the lanes of a `TurnStore` as plain data, slow and obvious: what the contract's properties compare a
 * store with. Ids are numbered from 1; the comparison maps the store's own ids onto them.
 */
export interface StoreModel {
  nowMs: number;
  accept(rows: readonly InboxInsert[]): readonly AcceptOutcome[];
  run(id: number): void;
  requeue(id: number, notBeforeMs: number): void;
  end(id: number, ending: InboxEnding): void;
  revive(id: number): void;
  claim(lane: string): boolean;
  release(lane: string): boolean;
  abandon(lane: string): void;
  /** The process stops and starts again. */
  restart(): void;
  isClaimed(lane: string): boolean;
  row(id: number): ModelRow | undefined;
  ready(lane: string): readonly ModelRow[];
  open(lane: string): readonly ModelRow[];
  readyLanes(): readonly string[];
  counts(): InboxCounts;
}

const isOpen = (row: ModelRow): boolean => row.status === "waiting" || row.status === "running";

export function createStoreModel(startMs: number): StoreModel {
  const rows = new Map<number, ModelRow>();
  const keys = new Set<string>();
  const claimed = new Set<string>();
  let accepted = 0;

  const change = (id: number, fields: Partial<ModelRow>, only: (row: ModelRow) => boolean = isOpen): void => {
    const row = rows.get(id);
    if (row !== undefined && only(row)) rows.set(id, { ...row, ...fields });
  };
  const all = (only: (row: ModelRow) => boolean): readonly ModelRow[] => [...rows.values()].filter(only);
  const stopRunning = (lane: string): void => {
    for (const row of all((one) => one.laneKey === lane && one.status === "running"))
      change(row.id, { status: "waiting" });
  };

  const model: StoreModel = {
    nowMs: startMs,
    accept: (inserts) => inserts.map(acceptOne),
    run(id) {
      const row = rows.get(id);
      if (row !== undefined) change(id, { status: "running", attempt: row.attempt + 1, scope: null });
    },
    requeue(id, notBeforeMs) {
      change(id, { status: "waiting", notBeforeMs, scope: null });
    },
    end(id, ending) {
      change(id, { status: ending, scope: null });
    },
    revive(id) {
      change(id, { status: "waiting", attempt: 0, notBeforeMs: model.nowMs }, (row) => row.status === "dead");
    },
    claim(lane) {
      if (claimed.has(lane)) return false;
      stopRunning(lane);
      claimed.add(lane);
      return true;
    },
    release(lane) {
      stopRunning(lane);
      if (model.ready(lane).length > 0) return false;
      claimed.delete(lane);
      return true;
    },
    abandon(lane) {
      stopRunning(lane);
      claimed.delete(lane);
    },
    restart() {
      for (const row of all((one) => one.status === "running")) change(row.id, { status: "waiting" });
      claimed.clear();
    },
    isClaimed: (lane) => claimed.has(lane),
    row: (id) => rows.get(id),
    ready: (lane) =>
      all((row) => row.laneKey === lane && row.status === "waiting" && row.notBeforeMs <= model.nowMs).toSorted(
        (a, b) => Number(b.control) - Number(a.control) || a.notBeforeMs - b.notBeforeMs || a.id - b.id,
      ),
    open: (lane) => all((row) => row.laneKey === lane && isOpen(row)),
    readyLanes: () => {
      const lanes = new Set(all((row) => row.status === "waiting").map((row) => row.laneKey));
      return [...lanes].filter((lane) => !claimed.has(lane) && model.ready(lane).length > 0).toSorted();
    },
    counts() {
      const of = (status: InboxStatus): number => all((row) => row.status === status).length;
      return {
        accepted,
        done: of("done"),
        dropped: of("dropped"),
        handled: of("handled"),
        dead: of("dead"),
        waiting: of("waiting") + of("running"),
      };
    },
  };

  function acceptOne(insert: InboxInsert): AcceptOutcome {
    const own = [`event ${insert.dedupeKey}`, ...(insert.turnKey === null ? [] : [`turn ${insert.turnKey}`])];
    const target = all((row) => row.status === "waiting" && row.messageId === insert.messageId).at(-1);
    if (own.some((key) => keys.has(key))) return { kind: "duplicate" };
    for (const key of own) keys.add(key);
    accepted += 1;
    const id = accepted;
    const waits = insert.debounce?.mode === "wait";
    const row: ModelRow = {
      id,
      laneKey: insert.laneKey,
      messageId: insert.messageId,
      control: insert.kind === "control",
      scope: waits ? insert.debounce.scope : null,
      status: "waiting",
      attempt: 0,
      notBeforeMs: model.nowMs + (waits ? insert.debounce.delayMs : 0),
      payload: insert.raw.payload,
    };
    if (insert.deadReason !== undefined) {
      rows.set(id, { ...row, status: "dead", scope: null });
      return { kind: "dead", inboxId: id };
    }
    if (insert.change !== "new" && target !== undefined) {
      rows.set(id, { ...row, status: "handled", scope: null });
      if (insert.change === "edit") {
        change(target.id, { payload: insert.raw.payload, control: row.control });
      } else {
        for (const one of all((other) => other.status === "waiting" && other.messageId === insert.messageId)) {
          change(one.id, { status: "dropped", scope: null });
        }
      }
      return { kind: "applied", inboxId: target.id };
    }
    if (insert.debounce !== undefined && insert.debounce.mode !== "bypass") {
      const { scope } = insert.debounce;
      for (const one of all(
        (other) => other.status === "waiting" && other.scope === scope && other.notBeforeMs > model.nowMs,
      )) {
        change(one.id, { notBeforeMs: row.notBeforeMs });
      }
    }
    rows.set(id, row);
    return { kind: "accepted", inboxId: id };
  }

  return model;
}
