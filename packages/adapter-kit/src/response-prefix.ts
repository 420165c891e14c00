/** What the placeholders of a response prefix stand for. */
export interface PrefixValues {
  readonly model?: string | undefined;
  readonly modelFull?: string | undefined;
  readonly provider?: string | undefined;
  readonly thinkingLevel?: string | undefined;
  readonly identityName?: string | undefined;
}

const PLACEHOLDERS: ReadonlyMap<string, keyof PrefixValues> = new Map([
  ["model", "model"],
  ["modelFull", "modelFull"],
  ["provider", "provider"],
  ["thinkingLevel", "thinkingLevel"],
  ["identity.name", "identityName"],
]);

/** Placeholders of a prefix that do not exist: a config that has one is refused at start. */
export function unknownPlaceholders(prefix: string): readonly string[] {
  return [...prefix.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "").filter((name) => !PLACEHOLDERS.has(name));
}

/** The first of account, channel and general prefix that is set; an empty one stops the cascade. */
export function choosePrefix(...levels: readonly (string | undefined)[]): string {
  return levels.find((level) => level !== undefined) ?? "";
}

/**
 * Puts the prefix in front of a text, once: a text that begins with it already is left alone.
 * When a placeholder has no value the prefix is left out, so that no brace is ever seen.
 */
export function applyResponsePrefix(text: string, prefix: string, values: PrefixValues): string {
  if (prefix === "" || text === "") return text;
  let missing = false;
  const rendered = prefix.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const key = PLACEHOLDERS.get(name);
    const value = key === undefined ? undefined : values[key];
    if (value === undefined) missing = true;
    return value ?? "";
  });
  if (missing || text.startsWith(rendered)) return text;
  return /\s$/.test(rendered) ? rendered + text : `${rendered} ${text}`;
}
