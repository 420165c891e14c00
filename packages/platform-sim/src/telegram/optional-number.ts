/** A number given as a number or as text; undefined when it is absent. */
export function optionalNumber(value: unknown): number | undefined {
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
