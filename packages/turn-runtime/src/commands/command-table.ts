/** The commands that the runtime itself carries out, on every channel. */
export type CommandName =
  | "stop"
  | "new"
  | "status"
  | "queue"
  | "model"
  | "models"
  | "reasoning"
  | "verbose"
  | "config"
  | "resend"
  | "help";

/** Who may give a command: anyone who may talk to the agent, those whom `commands` access allows, or owners only. */
export type CommandRight = "anyone" | "authorized" | "owner";

/** One row of the table of commands. */
export interface CommandRule {
  readonly right: CommandRight;
  /** Arguments as `/help` shows them. */
  readonly usage: string;
  readonly help: string;
}

/** All commands; none of them ever queues. Any other slash text is just text. */
export const COMMANDS: Readonly<Record<CommandName, CommandRule>> = {
  stop: { right: "anyone", usage: "", help: "stop what I am doing for you here" },
  new: { right: "anyone", usage: "", help: "start a new conversation" },
  status: { right: "anyone", usage: "", help: "show what this conversation is set to" },
  queue: {
    right: "anyone",
    usage: "[steer|followup|collect|interrupt]",
    help: "what a message does while I am answering",
  },
  models: { right: "anyone", usage: "", help: "show the model in use" },
  model: { right: "authorized", usage: "[name|default]", help: "choose the model" },
  reasoning: { right: "anyone", usage: "[on|off|stream]", help: "show or hide how I came to an answer" },
  verbose: { right: "authorized", usage: "[on|off|full]", help: "show more of what I do" },
  config: { right: "owner", usage: "", help: "show the settings of this agent" },
  resend: { right: "anyone", usage: "<id>", help: "send an answer again that may not have arrived" },
  help: { right: "anyone", usage: "", help: "show this list" },
};
