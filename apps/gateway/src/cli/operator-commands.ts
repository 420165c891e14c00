import { TurnwireError } from "@turnwire/turn-kernel";
import { defineCommand } from "citty";

import { type AdminClient, openAdminClient } from "./admin-client.ts";
import { configArgument } from "./command-context.ts";
import { table } from "./table.ts";

async function withClient(config: string | undefined, work: (client: AdminClient) => Promise<void>): Promise<void> {
  const client = await openAdminClient(config);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const when = (ms: number): string => new Date(ms).toISOString();

async function mustFind(found: Promise<boolean>, what: string, done: string): Promise<void> {
  if (!(await found)) throw new TurnwireError({ code: "arguments_invalid", message: `There is no ${what}.` });
  print(done);
}

/** A command with one positional argument that acts upon one thing. Its type is inferred: citty types a command by its own arguments. */
function action(
  name: string,
  description: string,
  argument: string,
  act: (client: AdminClient, value: string) => Promise<void>,
) {
  const args = {
    ...configArgument,
    target: { type: "positional", required: true, valueHint: argument, description: argument },
  } as const;
  return defineCommand({
    meta: { name, description },
    args,
    async run({ args: given }) {
      await withClient(given.config, async (client) => {
        await act(client, given.target);
      });
    },
  });
}

function listing(name: string, description: string, show: (client: AdminClient) => Promise<string>) {
  return defineCommand({
    meta: { name, description },
    args: configArgument,
    async run({ args }) {
      await withClient(args.config, async (client) => {
        print(await show(client));
      });
    },
  });
}

/** Reads every page of a list. */
async function all<T>(
  fetch: (before?: string) => Promise<{ readonly items: readonly T[]; readonly next?: string | undefined }>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let next: string | undefined;
  do {
    const page = await fetch(next);
    items.push(...page.items);
    next = page.next;
  } while (next !== undefined);
  return items;
}

/** `turnwire pairing list | approve | revoke`. */
export const pairingCommand = defineCommand({
  meta: { name: "pairing", description: "Direct-message pairing" },
  subCommands: {
    list: listing("list", "Who asked, and who was let in", async (client) => {
      const pairings = await client.pairings();
      return table(
        ["code", "status", "channel", "account", "sender", "name", "since"],
        pairings.map((p) => [
          p.code,
          p.status,
          p.channel,
          p.accountId,
          p.senderId,
          p.senderLabel ?? "",
          when(p.createdAtMs),
        ]),
        "Nobody has asked.",
      );
    }),
    approve: action("approve", "Let a person talk to the agent", "CODE", async (client, code) => {
      await mustFind(client.approvePairing(code), `pairing with the code ${code}`, `Approved ${code}.`);
    }),
    revoke: action("revoke", "Take a pairing back", "CODE", async (client, code) => {
      await mustFind(client.revokePairing(code), `pairing with the code ${code}`, `Revoked ${code}.`);
    }),
  },
});

/** `turnwire deadletter list | show | retry | drop`. */
export const deadletterCommand = defineCommand({
  meta: { name: "deadletter", description: "Events and deliveries that gave up" },
  subCommands: {
    list: listing("list", "All of them, newest first", async (client) => {
      const items = await all(client.deadLetters);
      return table(
        ["id", "channel", "account", "message", "reason", "at"],
        items.map((d) => [d.id, d.channel, d.accountId, d.messageId ?? "", d.reason ?? "", when(d.atMs)]),
        "There is none.",
      );
    }),
    show: action("show", "One of them", "ID", async (client, id) => {
      const found = (await all(client.deadLetters)).find((item) => item.id === id);
      await mustFind(
        Promise.resolve(found !== undefined),
        `dead letter with the id ${id}`,
        JSON.stringify(found, null, 2),
      );
    }),
    retry: action("retry", "Try it again", "ID", async (client, id) => {
      await mustFind(client.retryDeadLetter(id), `dead letter with the id ${id}`, `${id} is tried again.`);
    }),
    drop: action("drop", "Forget it", "ID", async (client, id) => {
      await mustFind(client.dropDeadLetter(id), `dead letter with the id ${id}`, `Dropped ${id}.`);
    }),
  },
});

/** `turnwire sessions list | show | reset`. */
export const sessionsCommand = defineCommand({
  meta: { name: "sessions", description: "Conversations of the agents" },
  subCommands: {
    list: listing("list", "All sessions", async (client) => {
      const items = await all(client.sessions);
      return table(
        ["key", "agent", "generation", "updated"],
        items.map((s) => [s.key, s.agentId, String(s.generation), when(s.updatedAtMs)]),
        "There is none.",
      );
    }),
    show: action("show", "One session", "KEY", async (client, key) => {
      const found = (await all(client.sessions)).find((item) => item.key === key);
      await mustFind(
        Promise.resolve(found !== undefined),
        `session with the key ${key}`,
        JSON.stringify(found, null, 2),
      );
    }),
    reset: action(
      "reset",
      "Start it anew: earlier messages are no longer seen by the agent",
      "KEY",
      async (client, key) => {
        await mustFind(client.resetSession(key), `session with the key ${key}`, `${key} starts anew.`);
      },
    ),
  },
});
