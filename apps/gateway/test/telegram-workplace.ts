import { startTelegramSimulator, type TelegramSimulator, type TelegramSimulatorOptions } from "@turnwire/platform-sim";

import { Workplace } from "./gateway-process.ts";

/** Token of the API's writes in these tests. */
export const ADMIN_TOKEN = "e2e-admin-token";

/** A simulated Telegram, a folder, and a config that connects them. */
export class TelegramWorkplace extends Workplace {
  readonly sim: TelegramSimulator;

  private constructor(sim: TelegramSimulator) {
    super();
    this.sim = sim;
  }

  static async open(options: TelegramSimulatorOptions = {}): Promise<TelegramWorkplace> {
    return new TelegramWorkplace(await startTelegramSimulator(options));
  }

  get groupId(): string {
    return this.sim.defaults.places.find((place) => place.name === "group")?.id ?? "";
  }

  /** A config with one Telegram account; the account's keys and the rest may be changed. */
  configure(account: object = {}, more: object = {}): void {
    this.writeConfig({
      http: { port: 0, adminToken: ADMIN_TOKEN },
      store: { kind: "sqlite", path: "./data/turnwire.db" },
      channels: {
        telegram: {
          accounts: {
            default: {
              botToken: this.sim.credentials.botToken,
              apiRoot: this.sim.apiRoot,
              dmPolicy: "open",
              groupPolicy: "allowlist",
              groups: { [this.groupId]: {} },
              streaming: { mode: "off" },
              outbound: { perBotPerSecond: 1000, perChatPerSecond: 1000 },
              ...account,
            },
          },
        },
      },
      ...more,
    });
  }

  /** Resolves when the bot's texts in a place are these. */
  async botSaid(place: string, texts: readonly string[]): Promise<void> {
    const said = (): string[] => this.botTexts(place);
    await this.sim.waitFor(() => (said().length >= texts.length ? true : undefined), {
      timeoutMs: 20_000,
      what: `the bot's ${texts.length} answers in ${place}`,
    });
    if (JSON.stringify(said()) !== JSON.stringify(texts))
      throw new Error(`In ${place} the bot said ${JSON.stringify(said())}, not ${JSON.stringify(texts)}.`);
  }

  /** What the bot has said in a place and is still seen. */
  botTexts(place: string): string[] {
    return this.sim
      .messages(place)
      .flatMap((message) =>
        message.by === this.sim.bot.name && !message.deleted && !message.draft ? [message.text] : [],
      );
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.sim.close();
  }
}
