/** A place of the simulated platform, as a person chooses it. */
export interface PlaygroundPlace {
  /** Stable name of the choice. */
  readonly key: string;
  readonly title: string;
  readonly kind: "direct" | "group" | "channel" | "topic" | "thread";
  /** Where the simulator's verbs find it. */
  readonly in: string;
  readonly thread?: string | undefined;
  /** Whether the bot answers here only when it is mentioned. */
  readonly needsMention: boolean;
  readonly people: readonly string[];
}

/** A message as a person sees it. */
export interface PlaygroundMessage {
  readonly messageId: string;
  readonly by: string;
  readonly text: string;
  readonly thread?: string | undefined;
  readonly edits: number;
  readonly deleted: boolean;
  readonly reactions: readonly string[];
  readonly files: readonly string[];
  readonly at: number;
}

/** What a place shows right now. */
export interface PlaygroundView {
  readonly messages: readonly PlaygroundMessage[];
  /** Text of a draft that is being written, null when there is none. */
  readonly draft: string | null;
  readonly typing: boolean;
}

/** One simulated platform of the playground. */
export interface PlaygroundSimulator {
  readonly platform: string;
  readonly title: string;
  readonly bot: string;
  readonly places: readonly PlaygroundPlace[];
  readonly say: (message: {
    readonly by: string;
    readonly place: PlaygroundPlace;
    readonly text: string;
    readonly mentionBot: boolean;
  }) => Promise<{ readonly messageId: string }>;
  readonly view: (place: PlaygroundPlace) => PlaygroundView;
  /** Calls back whenever something visible changed. Returns how to stop. */
  readonly onChange: (listener: () => void) => () => void;
  /** The account's config that connects the gateway to it. */
  readonly accountConfig: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}
