/** A button of a reply; degraded to text where the platform has none. */
export interface PresentationButton {
  readonly label: string;
  /** Sent back when pressed. */
  readonly value?: string | undefined;
  readonly url?: string | undefined;
}

/** A choice of one among several. */
export interface PresentationSelect {
  readonly placeholder?: string | undefined;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** Interactive parts of a reply, in rows. */
export interface ReplyPresentation {
  readonly buttons?: readonly (readonly PresentationButton[])[] | undefined;
  readonly select?: PresentationSelect | undefined;
}

/** One block of a reply before it is rendered. `text` is Markdown. */
export interface ReplyPayload {
  readonly text?: string | undefined;
  readonly mediaUrl?: string | undefined;
  readonly mediaUrls?: readonly string[] | undefined;
  readonly replyToId?: string | undefined;
  readonly replyToCurrent?: boolean | undefined;
  readonly audioAsVoice?: boolean | undefined;
  readonly isError?: boolean | undefined;
  readonly isReasoning?: boolean | undefined;
  readonly sensitiveMedia?: boolean | undefined;
  readonly presentation?: ReplyPresentation | undefined;
  /** The platform's own extras, by channel id. */
  readonly channelData?: Readonly<Record<string, unknown>> | undefined;
}
