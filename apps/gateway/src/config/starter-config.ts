/** What `turnwire init` asked. */
export interface StarterAnswers {
  readonly agentName: string;
  readonly telegram: boolean;
  /** Absent: the config reads it from the environment. */
  readonly botToken: string | undefined;
  readonly adminToken: string;
}

const quote = (value: string): string => JSON.stringify(value);

/** Writes a commented config that `turnwire config check` accepts. */
export function renderStarterConfig(answers: StarterAnswers): string {
  const token = answers.botToken === undefined ? '"${TELEGRAM_BOT_TOKEN}"' : quote(answers.botToken);
  const telegram = `    telegram: {
      accounts: {
        default: {
          // From @BotFather. \${NAME} is read from the environment; { file: "path" } from a file.
          botToken: ${token},
          mode: "polling", // "webhook" needs http.publicUrl and webhook.secretToken
          // Direct chats: a stranger gets a code that you approve with "turnwire pairing approve CODE".
          dmPolicy: "pairing", // or "allowlist" with allowFrom, "open", "disabled"
          allowFrom: [],
          // Groups are served when they are named here, and answer when they are mentioned.
          groupPolicy: "allowlist",
          groups: {},
          requireMention: true,
          streaming: { mode: "partial" }, // the answer grows while it is written; "off" sends it whole
        },
      },
    },
`;
  return `// Turnwire gateway. All keys: "turnwire config schema". Check: "turnwire config check".
{
  http: {
    host: "127.0.0.1",
    port: 8787,
    // Needed for everything that changes something over the API, also by the command line.
    adminToken: ${quote(answers.adminToken)},
    // publicUrl: "https://bot.example.org",
  },
  store: { kind: "sqlite", path: "./data/turnwire.db" },
  agents: {
    list: [
      {
        id: "main",
        default: true,
        identity: { name: ${quote(answers.agentName)} },
        // "echo" answers with what it was told: the way to try everything without a model.
        runner: { kind: "echo" },
        // runner: { kind: "http", url: "http://127.0.0.1:3000/agent" },
      },
    ],
  },
  channels: {
${answers.telegram ? telegram : ""}  },
}
`;
}
