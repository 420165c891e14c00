import { BOT_METHODS } from "./telegram/methods/method-table.ts";

/** The README's table of methods, made from the code's own. */
export function renderMethodTable(): string {
  const rows = BOT_METHODS.toSorted((a, b) => a.name.localeCompare(b.name)).map(
    ({ name, support }) => `| \`${name}\` | ${support === "full" ? "full" : `partial: ${support.partial}`} |`,
  );
  return ["| method | support |", "| --- | --- |", ...rows].join("\n");
}
