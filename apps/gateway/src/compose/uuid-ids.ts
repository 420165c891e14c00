import { randomUUID } from "node:crypto";

import type { Ids } from "@turnwire/turn-kernel";

/** Random UUIDs: unique over processes and machines without a word between them. */
export const uuidIds: Ids = { next: () => randomUUID() };
