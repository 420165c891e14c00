/** One attachment. Download, authentication and decryption stay in the channel. */
export interface InboundMediaFacts {
  /** Local, readable path. */
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly kind?: "image" | "video" | "audio" | "document" | "unknown" | undefined;
  readonly transcribed?: boolean | undefined;
  readonly messageId?: string | undefined;
}
