import { textOf as plainText } from "../../core/text-of.ts";
import { badRequest } from "../bot-api-error.ts";
import { type Json, userJson } from "../world.ts";
import type { BotMethod, MethodContext } from "./method-context.ts";

const method = (name: string, support: BotMethod["support"], run: BotMethod["run"]): BotMethod => ({
  name,
  support,
  run,
});

const COMMAND_PATTERN = /^[a-z0-9_]{1,32}$/;

function scopeKey(params: Json): string {
  return JSON.stringify([params["scope"] ?? { type: "default" }, params["language_code"] ?? ""]);
}

function setCommands({ state, params }: MethodContext): boolean {
  const commands = Array.isArray(params["commands"]) ? (params["commands"] as Json[]) : [];
  if (commands.length > 100) throw badRequest("too many commands");
  for (const { command, description } of commands) {
    if (!COMMAND_PATTERN.test(String(command))) throw badRequest("BOT_COMMAND_INVALID");
    if (typeof description !== "string" || description === "" || description.length > 256)
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
  }
  state.commands.set(scopeKey(params), commands);
  return true;
}

function profileMethods(what: string, key: string, field: string): readonly BotMethod[] {
  return [
    method(`setMy${what}`, "full", ({ state, params }) => {
      state.profile.set(`${key}:${plainText(params["language_code"])}`, plainText(params[field]));
      return true;
    }),
    method(`getMy${what}`, "full", ({ state, params }) => ({
      [field]:
        state.profile.get(`${key}:${plainText(params["language_code"])}`) ?? (key === "name" ? state.bot.name : ""),
    })),
  ];
}

/** The bot itself: who it is, its updates, its commands. */
export const botMethods: readonly BotMethod[] = [
  method("getMe", "full", ({ state }) => ({
    ...userJson(state.bot),
    can_join_groups: true,
    can_read_all_group_messages: true,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
  })),
  method("logOut", { partial: "answers, and does nothing" }, () => true),
  method("close", { partial: "answers, and does nothing" }, () => true),
  method("getUpdates", "full", async ({ queue, params, signal }) => queue.getUpdates(params, signal)),
  method(
    "setWebhook",
    { partial: "certificates and IP addresses; plain http is allowed, for loopback" },
    ({ webhook, params }) => {
      webhook.set(params);
      return true;
    },
  ),
  method("deleteWebhook", "full", ({ webhook, params }) => {
    webhook.remove(params["drop_pending_updates"] === true);
    return true;
  }),
  method("getWebhookInfo", "full", ({ webhook }) => webhook.info()),
  method("setMyCommands", "full", setCommands),
  method("getMyCommands", "full", ({ state, params }) => state.commands.get(scopeKey(params)) ?? []),
  method("deleteMyCommands", "full", ({ state, params }) => {
    state.commands.delete(scopeKey(params));
    return true;
  }),
  ...profileMethods("Name", "name", "name"),
  ...profileMethods("Description", "description", "description"),
  ...profileMethods("ShortDescription", "short", "short_description"),
  method("answerCallbackQuery", { partial: "the answer is recorded, not shown" }, ({ params }) => {
    if (typeof params["callback_query_id"] !== "string" || params["callback_query_id"] === "")
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    return true;
  }),
  method("getUserProfilePhotos", { partial: "there are none" }, () => ({ total_count: 0, photos: [] })),
];
