import { TurnwireError } from "@turnwire/turn-kernel";

/** A message as the platform shows it. */
export interface ShownMessage {
  readonly id: string;
  readonly chat: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly text: string;
}

/** A message that a person writes. */
export interface SaidMessage {
  readonly updateId: number;
  readonly messageId: string;
  readonly chat: string;
  readonly chatKind: "direct" | "group";
  readonly threadId?: string | undefined;
  readonly from: string;
  readonly text: string;
  readonly mentionsBot: boolean;
  readonly isMedia?: boolean | undefined;
  /** The adapter asks for an observed turn: it runs, and nothing is seen of it. */
  readonly observed?: boolean | undefined;
  /** Makes `ingest` throw, as a malformed payload does. */
  readonly malformed?: boolean | undefined;
}

/** What the next call of a kind does instead of succeeding. */
export type PlatformFault = "refuse" | "gone" | "drop_before" | "drop_after" | "hold";

/** One call to the platform. */
export interface PlatformCall {
  readonly method: "send" | "edit" | "delete" | "typing" | "draft" | "react";
  readonly chat: string;
  readonly text?: string | undefined;
}

/** A chat platform in memory: it stores what is sent, shows it, and fails when it is told to. */
export class MemoryPlatform {
  readonly calls: PlatformCall[] = [];
  readonly #messages = new Map<string, ShownMessage>();
  readonly #faults: { readonly method: PlatformCall["method"]; readonly fault: PlatformFault }[] = [];
  #lastId = 1_000;
  #lastUpdate = 0;
  #release: () => void = () => undefined;

  /** Makes the next call of this method fail so. */
  failNext(method: PlatformCall["method"], fault: PlatformFault): void {
    this.#faults.push({ method, fault });
  }

  /** Lets a held call go on. */
  release(): void {
    this.#release();
  }

  /** Forgets everything that was said and called. */
  forget(): void {
    this.calls.length = 0;
    this.#messages.clear();
  }

  /** What is seen in a chat, oldest first, deleted ones gone. */
  seen(chat: string): readonly string[] {
    return [...this.#messages.values()].filter((message) => message.chat === chat).map((message) => message.text);
  }

  messages(chat: string): readonly ShownMessage[] {
    return [...this.#messages.values()].filter((message) => message.chat === chat);
  }

  /** Somebody writes. */
  say(message: Partial<SaidMessage> & { readonly text: string }): SaidMessage {
    this.#lastUpdate += 1;
    this.#lastId += 1;
    return {
      updateId: this.#lastUpdate,
      messageId: `m${this.#lastId}`,
      chat: "dm",
      chatKind: "direct",
      from: "ann",
      mentionsBot: false,
      ...message,
    };
  }

  async call(call: PlatformCall, effect: () => string): Promise<string> {
    this.calls.push(call);
    const index = this.#faults.findIndex((planned) => planned.method === call.method);
    const fault = index < 0 ? undefined : this.#faults.splice(index, 1)[0]?.fault;
    switch (fault) {
      case undefined:
        return effect();
      case "refuse":
        throw new TurnwireError({ code: "platform_refused", message: "The platform refuses the message." });
      case "gone":
        throw new TurnwireError({ code: "message_gone", message: "The message to edit does not exist." });
      case "drop_before":
        throw new TurnwireError({
          code: "not_written",
          message: "The connection failed before the request was written.",
        });
      case "drop_after":
        effect();
        throw new TurnwireError({
          code: "answer_lost",
          message: "The connection failed after the request was written.",
        });
      case "hold":
        await new Promise<void>((resolve) => {
          this.#release = resolve;
        });
        return effect();
    }
  }

  post(message: Omit<ShownMessage, "id">): string {
    this.#lastId += 1;
    const id = `m${this.#lastId}`;
    this.#messages.set(id, { ...message, id });
    return id;
  }

  edit(id: string, text: string): string {
    const message = this.#messages.get(id);
    if (message === undefined)
      throw new TurnwireError({ code: "message_gone", message: "The message to edit does not exist." });
    this.#messages.set(id, { ...message, text });
    return id;
  }

  remove(id: string): string {
    this.#messages.delete(id);
    return id;
  }
}
