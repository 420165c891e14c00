/** A value of a request as text: numbers and booleans as they are written, objects and absent values as the fallback. */
export function textOf(value: unknown, fallback: string = ""): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : fallback;
}
