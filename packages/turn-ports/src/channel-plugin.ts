import type { Clock, Ids } from "@turnwire/turn-kernel";

import type { Channel } from "./channel.ts";
import type { Logger } from "./logger.ts";

/** One complaint of a schema about a value. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** For a value of the wrong type: the right one. */
  readonly expected?: string | undefined;
  /** For keys that the schema does not know. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * The schema of an account's config. Any zod 4.2 (or newer) object schema is one: it validates, and it
 * describes itself as JSON Schema by the Standard JSON Schema interface, so the gateway needs no copy of zod in common with the channel.
 */
export interface AccountSchema {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
  readonly "~standard": {
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> };
  };
}

/** What the gateway gives a channel when it makes it. */
export interface ChannelDeps {
  readonly accountId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

/** What a channel package exports as `turnwireChannel`: enough to configure and make its accounts. */
export interface ChannelPlugin {
  /** Version of the `Channel` port that it is written for. */
  readonly specificationVersion: 1;
  /** The platform, as the key under `channels` in the config. */
  readonly id: string;
  readonly accountSchema: AccountSchema;
  /** Makes one account. `config` is what `accountSchema` gave. Must not do I/O. */
  create(config: unknown, deps: ChannelDeps): Channel;
}
