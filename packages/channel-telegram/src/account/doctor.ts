import type { Clock, DoctorLine } from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-kernel";

import { fetchBotIdentity } from "./bot-identity.ts";
import type { TelegramClient } from "../client.ts";
import type { TelegramAccountConfig } from "../config.ts";

/** A clock that is off by more than this makes the times of messages wrong, ms. */
const MAX_CLOCK_SKEW_MS = 60_000;

interface WebhookInfo {
  readonly url?: unknown;
  readonly pending_update_count?: unknown;
  readonly last_error_message?: unknown;
}

/** Checks token, privacy mode, webhook and clock. Calls Telegram. */
export async function doctor(
  {
    client,
    config,
    clock,
  }: { readonly client: TelegramClient; readonly config: TelegramAccountConfig; readonly clock: Clock },
  signal: AbortSignal,
): Promise<readonly DoctorLine[]> {
  const lines: DoctorLine[] = [];
  try {
    const { username, id, readsAllGroupMessages } = await fetchBotIdentity(client, signal);
    lines.push({ ok: true, check: `Telegram knows the token: @${username} (${id})` });
    lines.push(privacyLine(config, readsAllGroupMessages));
  } catch (error) {
    const mend = TurnwireError.isInstance(error) ? error.message : "The call failed; see the log.";
    return [{ ok: false, check: "Telegram knows the token", mend }];
  }
  lines.push(await webhookLine(client, config, signal));
  const skew = await clockLine(config.apiRoot, clock, signal);
  return skew === null ? lines : [...lines, skew];
}

function privacyLine(config: TelegramAccountConfig, readsAll: boolean): DoctorLine {
  if (readsAll) return { ok: true, check: "Privacy mode is off: the bot sees all messages of its groups" };
  const wantsAll = config.groupPolicy !== "disabled" && (!config.requireMention || (config.historyLimit ?? 1) > 0);
  return {
    ok: !wantsAll,
    check: "Privacy mode is on: in groups the bot sees commands, mentions and replies to it only",
    ...(wantsAll
      ? {
          mend: "To answer without a mention, or to know what was said before one: /setprivacy → Disable at @BotFather, then remove the bot from its groups and add it again; or make it an administrator.",
        }
      : {}),
  };
}

async function webhookLine(
  client: TelegramClient,
  { mode, webhook }: TelegramAccountConfig,
  signal: AbortSignal,
): Promise<DoctorLine> {
  const answer = await client.call({ method: "getWebhookInfo", params: {} }, signal);
  if (!answer.ok) return { ok: false, check: "The webhook's state", mend: "Telegram did not tell; try again." };
  const { url, pending_update_count: pending, last_error_message: lastError } = answer.result as WebhookInfo;
  const isSet = typeof url === "string" && url !== "";
  const waiting = typeof pending === "number" ? pending : 0;
  if (mode === "polling") {
    return isSet
      ? {
          ok: false,
          check: "No webhook is set",
          mend: "The account polls, and a webhook stands in its way; it is removed at the next start. Stop whoever set it.",
        }
      : { ok: true, check: `No webhook is set; ${waiting} updates wait to be polled` };
  }
  if ((webhook?.secretToken ?? "") === "") {
    return {
      ok: false,
      check: "The webhook has a secret",
      mend: "Set webhook.secretToken to 1-256 letters, digits, _ or -.",
    };
  }
  if (!isSet) return { ok: false, check: "A webhook is set", mend: "Set http.publicUrl, and start the gateway once." };
  if (typeof lastError === "string" && waiting > 0) {
    return {
      ok: false,
      check: "Telegram reaches the webhook",
      mend: `Telegram says: ${lastError}; ${waiting} updates wait.`,
    };
  }
  return { ok: true, check: `The webhook is set; ${waiting} updates wait` };
}

/** The server's own time is in the header of any answer. */
async function clockLine(apiRoot: string, clock: Clock, signal: AbortSignal): Promise<DoctorLine | null> {
  const response = await fetch(apiRoot, { method: "HEAD", redirect: "manual", signal }).catch(() => null);
  const date = Date.parse(response?.headers.get("date") ?? "");
  if (Number.isNaN(date)) return null;
  const skewMs = clock.now() - date;
  return Math.abs(skewMs) <= MAX_CLOCK_SKEW_MS
    ? { ok: true, check: "The clock agrees with Telegram's" }
    : {
        ok: false,
        check: "The clock agrees with Telegram's",
        mend: `This machine's clock is ${Math.round(skewMs / 1000)} s off; let it be set from the network (NTP).`,
      };
}
