import { createSystemClock } from "@turnwire/adapter-kit";
import type { Channel, Logger } from "@turnwire/turn-ports";

import type { ResolvedAccount } from "../config/resolved-config.ts";
import { uuidIds } from "./uuid-ids.ts";

/** Makes the channel of one account; it does no I/O before it is started. */
export function createChannel(account: ResolvedAccount, log: Logger): Channel {
  const { channel, accountId } = account;
  return account.plugin.create(account.config, {
    accountId,
    clock: createSystemClock(),
    ids: uuidIds,
    log: log.child({ channel, accountId }),
  });
}
