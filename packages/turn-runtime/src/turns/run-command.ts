import type { FinalizedMsgContext, ReplySink } from "@turnwire/turn-kernel";

import { decideCommand, resentText, stoppedText } from "../commands/decide-command.ts";
import type { ParsedCommand } from "../commands/parse-command.ts";
import { targetOf } from "../lanes/open-turn.ts";
import { type LivePass, replyTargetOf } from "./live-pass.ts";
import { queueSettingsOf } from "./queue-settings.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";

/** Carries a command out and answers it. */
export async function runCommand(
  pass: LivePass,
  options: TurnEngineOptions,
  given: { readonly command: ParsedCommand; readonly ctx: FinalizedMsgContext; readonly sink: ReplySink },
): Promise<void> {
  const { agent, request, session, sessionKey } = pass;
  if (agent === null) return;
  const { command, ctx, sink } = given;
  const { last, lane, step } = request;
  const settings = session?.settings ?? {};
  const decision = decideCommand(command, {
    isAuthorized: ctx.CommandAuthorized,
    isOwner: options.config.commands.owners.includes(`${last.channel}:${last.senderId}`),
    settings,
    agent: { id: agent.id, name: agent.identity.name, runner: agent.runner.kind, model: agent.model },
    session: { key: sessionKey, generation: session?.generation ?? 0 },
    lane: lane.status(),
    queueMode:
      settings.queueMode ??
      queueSettingsOf(options.config, { id: pass.channel.id, queue: pass.channel.account.queue }).mode,
    timeoutMs: options.config.agentDefaults.timeoutMs,
  });

  let { text } = decision;
  const { action } = decision;
  switch (action?.kind) {
    case "stop": {
      const count = await lane.stop({ senderId: last.senderId, target: targetOf(last), beforeRowId: last.id });
      text = stoppedText(count);
      break;
    }
    case "reset":
      // The session exists before it is reset.
      await step.flush();
      await lane.reset({ op: "session.reset", key: sessionKey });
      break;
    case "set":
      step.add({
        op: "session.put",
        key: sessionKey,
        agentId: agent.id,
        createIfMissing: true,
        settings: action.settings,
      });
      break;
    case "resend":
      text = resentText(await resend(pass, options, action.outboxId));
      break;
    case undefined:
      break;
  }
  if (text !== null) await sink.push({ text }, "final");
}

/** Only into the chat that the answer was for: the id alone gives nobody another chat's words. */
async function resend(
  pass: LivePass,
  { store, outbox }: TurnEngineOptions,
  outboxId: string,
): Promise<"held" | "settled" | "none"> {
  const row = await store.outbox.get(outboxId);
  const isHere =
    row?.channel === pass.channel.id &&
    row.accountId === pass.channel.accountId &&
    row.target.to === replyTargetOf(pass).to;
  if (row === null || !isHere) return "none";
  if (row.status !== "unknown" && row.status !== "given_up") return "settled";
  await outbox.resend(outboxId);
  return "held";
}
