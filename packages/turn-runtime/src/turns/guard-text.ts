import { applyResponsePrefix, redactSecrets } from "@turnwire/adapter-kit";

import type { RuntimeConfig } from "../config/runtime-config.ts";
import type { LivePass } from "./live-pass.ts";

/** The one guard of everything an agent says: drafts, blocks and finals pass it in the same form. */
export type TextGuard = (text: string) => string;

/** Takes secrets out and puts the response prefix in front. */
export function createTextGuard(pass: LivePass, config: RuntimeConfig, secrets: readonly string[]): TextGuard {
  const prefix = pass.channel.account.responsePrefix ?? config.messages.reply.responsePrefix;
  const { agent, session } = pass;
  const modelFull = session?.settings.model ?? agent?.model;
  const values = {
    modelFull,
    // `provider/name` is shown by its last part alone where the short form is asked for.
    model: modelFull?.split("/").at(-1),
    provider: agent?.provider,
    identityName: agent?.identity.name,
  };
  return (text) => applyResponsePrefix(redactSecrets(text, secrets), prefix, values);
}
