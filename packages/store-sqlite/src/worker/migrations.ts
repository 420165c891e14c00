/** One step of the schema. Never changed after a release: its checksum is stored with it. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

/**
 * Forward only, in order. Times are epoch ms. An inbox row in status `gone` keeps only its dedupe keys:
 * what people read of it was removed by retention. `line` is 0 for control rows, 1 for all others.
 */
export const migrations: readonly Migration[] = [
  {
    id: 1,
    name: "initial",
    sql: `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('boot', 0), ('clean', 1), ('epoch', 1), ('ping', 0), ('blob_bytes', 0);

CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counter (name, value) VALUES
  ('accepted', 0), ('done', 0), ('dropped', 0), ('handled', 0), ('dead', 0), ('waiting', 0),
  ('outbox.queued', 0), ('outbox.sending', 0), ('outbox.sent', 0), ('outbox.rejected', 0),
  ('outbox.unknown', 0), ('outbox.given_up', 0), ('outbox.superseded', 0),
  -- Not a count, but written with them: the highest due time that was ever used.
  ('due_ms', 0);

CREATE TABLE account (
  ref INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  account_id TEXT NOT NULL,
  cursor TEXT,
  state_keys INTEGER NOT NULL DEFAULT 0,
  UNIQUE (channel, account_id)
) STRICT;

CREATE TABLE channel_state (
  account_ref INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account_ref, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_ref INTEGER NOT NULL,
  status TEXT NOT NULL,
  line INTEGER NOT NULL,
  not_before_ms INTEGER NOT NULL,
  accepted_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  attempt INTEGER NOT NULL,
  lane_key TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  turn_key TEXT,
  message_id TEXT NOT NULL,
  change TEXT NOT NULL,
  peer_kind TEXT NOT NULL,
  peer_id TEXT NOT NULL,
  thread_id TEXT,
  sender_id TEXT NOT NULL,
  reply_target TEXT NOT NULL,
  kind TEXT NOT NULL,
  command TEXT,
  debounce_scope TEXT,
  deferred_as TEXT,
  turn_id TEXT,
  merged_into TEXT,
  reason TEXT,
  raw TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX inbox_dedupe ON inbox (account_ref, dedupe_key);
CREATE UNIQUE INDEX inbox_turn ON inbox (account_ref, turn_key) WHERE turn_key IS NOT NULL;
CREATE INDEX inbox_status ON inbox (status, id);
CREATE INDEX inbox_open ON inbox (lane_key, id) WHERE ended_at_ms IS NULL;
CREATE INDEX inbox_waiting ON inbox (lane_key, line, not_before_ms, id) WHERE status = 'waiting';
CREATE INDEX inbox_running ON inbox (lane_key) WHERE status = 'running';
CREATE INDEX inbox_message ON inbox (message_id) WHERE status = 'waiting';
CREATE INDEX inbox_debounce ON inbox (debounce_scope) WHERE status = 'waiting' AND debounce_scope IS NOT NULL;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  deliver_key TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  not_before_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  first_attempt_at_ms INTEGER,
  last_attempt_at_ms INTEGER,
  settled_at_ms INTEGER,
  channel TEXT NOT NULL,
  account_id TEXT NOT NULL,
  turn_id TEXT,
  session_key TEXT,
  purpose TEXT NOT NULL,
  target TEXT NOT NULL,
  receipt TEXT,
  error TEXT,
  part TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_pending ON outbox (deliver_key, seq) WHERE settled_at_ms IS NULL;
CREATE INDEX outbox_unknown ON outbox (deliver_key, not_before_ms) WHERE status = 'unknown';
CREATE INDEX outbox_status ON outbox (status, seq);
CREATE INDEX outbox_turn ON outbox (turn_id) WHERE turn_id IS NOT NULL;

CREATE TABLE session (
  key TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  settings TEXT NOT NULL,
  last_route TEXT,
  meta TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX session_updated ON session (updated_at_ms);

CREATE TABLE transcript (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_key TEXT NOT NULL,
  generation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  turn_id TEXT NOT NULL,
  role TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  delivery_state TEXT,
  entry TEXT NOT NULL,
  UNIQUE (session_key, generation, seq)
) STRICT;
CREATE INDEX transcript_turn ON transcript (turn_id);

CREATE TABLE history (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  history_key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  entry TEXT NOT NULL
) STRICT;
CREATE INDEX history_by_key ON history (history_key, seq);

CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  entry TEXT NOT NULL,
  UNIQUE (turn_id, call_id)
) STRICT;

CREATE TABLE approval (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token TEXT NOT NULL UNIQUE,
  turn_id TEXT NOT NULL,
  status TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  approval TEXT NOT NULL
) STRICT;
CREATE INDEX approval_turn ON approval (turn_id, id);
CREATE INDEX approval_expiry ON approval (expires_at_ms);

CREATE TABLE turn (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id TEXT NOT NULL,
  pass TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  session_key TEXT,
  started_at_ms INTEGER NOT NULL,
  turn TEXT NOT NULL,
  UNIQUE (turn_id, pass, attempt)
) STRICT;
CREATE INDEX turn_started ON turn (started_at_ms, id);
CREATE INDEX turn_session ON turn (session_key, started_at_ms, id) WHERE session_key IS NOT NULL;

CREATE TABLE pairing (
  code TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  account_id TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  sender_label TEXT,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (channel, account_id, sender_id)
) STRICT;
CREATE INDEX pairing_status ON pairing (status, created_at_ms);

CREATE TABLE blob (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
`,
  },
];
