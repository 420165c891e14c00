// Benches of the SQLite store; docs/benchmarks-store.md has figures.
//   node --conditions=@turnwire/source bench/store/run.ts             the accept path and its floor
//   node --conditions=@turnwire/source bench/store/run.ts --smoke     the same, short; exit 1 below a share of the floor
//   node --conditions=@turnwire/source bench/store/run.ts --sessions [1000000]
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { benchAccept } from "./accept.ts";
import { benchStoredSessions } from "./stored-sessions.ts";

const { values, positionals } = parseArgs({
  options: { smoke: { type: "boolean", default: false }, sessions: { type: "boolean", default: false } },
  allowPositionals: true,
});
// On the disk that the repository is on: a temporary folder may be memory, where a flush costs nothing.
const folder = mkdtempSync(join(import.meta.dirname, ".tmp-"));
try {
  if (values.sessions) await benchStoredSessions(folder, Number(positionals[0] ?? 1_000_000));
  else if (!(await benchAccept(folder, values.smoke))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
