/** A value that survives `JSON.stringify` and back unchanged: what inbox and outbox rows may hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
