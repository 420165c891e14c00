/** Who wrote. Rights go by `id`; names are labels. */
export interface SenderFacts {
  readonly id: string;
  readonly name?: string | undefined;
  /** Handle where it differs from `name`. */
  readonly username?: string | undefined;
  /** Discriminator or tag of the platform. */
  readonly tag?: string | undefined;
  /** Role ids, matched against role allowlists by the channel. */
  readonly roles?: readonly string[] | undefined;
  readonly isBot?: boolean | undefined;
  /** True when the sender is this agent itself. */
  readonly isSelf?: boolean | undefined;
  /** Rendered label for the envelope text. */
  readonly displayLabel?: string | undefined;
}
