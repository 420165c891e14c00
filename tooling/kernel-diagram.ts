import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { TURN_STAGE_TABLE, type TurnStageEnd } from "../packages/turn-kernel/src/turn-stage-table.ts";
import { TURN_STAGES, type TurnStage } from "../packages/turn-kernel/src/turn-stage.ts";

// Writes the state diagram and the table of stages into docs/kernel.md: node tooling/kernel-diagram.ts

/** The document and, in it, what stands around the part that is made here. */
export const KERNEL_DOCUMENT: string = resolve(import.meta.dirname, "../docs/kernel.md");
const BEGIN = "<!-- made by tooling/kernel-diagram.ts: begin -->";
const END = "<!-- made by tooling/kernel-diagram.ts: end -->";

const isGoingOn = (end: TurnStageEnd): boolean => end === "done" || end === "skipped";

function arrowsOf(stage: TurnStage, index: number): readonly string[] {
  const { ends } = TURN_STAGE_TABLE[stage];
  const next = TURN_STAGES[index + 1];
  if (next === undefined) return [`${stage} --> [*]: ${ends.join(", ")}`];
  if (next === "finalize") return [`${stage} --> finalize: ${ends.join(", ")}`];
  return [
    `${stage} --> ${next}: ${ends.filter(isGoingOn).join(", ")}`,
    `${stage} --> finalize: ${ends.filter((end) => !isGoingOn(end)).join(", ")}`,
  ];
}

/** A Markdown table whose columns are as wide as the formatter makes them. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

/** The diagram and the table, as they stand in the document. */
export function kernelStages(): string {
  const arrows = ["[*] --> ingest", ...TURN_STAGES.flatMap((stage, index) => arrowsOf(stage, index))];
  const diagram = ["```mermaid", "stateDiagram-v2", ...arrows.map((arrow) => `    ${arrow}`), "```"].join("\n");
  const rows = TURN_STAGES.map((stage) => {
    const { work, ends } = TURN_STAGE_TABLE[stage];
    return [`\`${stage}\``, work, ends.map((end) => `\`${end}\``).join(" ")];
  });
  return `${diagram}\n\n${tableOf([["stage", "work", "ends with"], ...rows])}`;
}

/** The document with its part made anew. */
export function withKernelStages(document: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/kernel.md must have the lines "${BEGIN}" and "${END}".`);
  return `${document.slice(0, begin)}${BEGIN}\n\n${kernelStages()}\n\n${document.slice(end)}`;
}

if (import.meta.main) writeFileSync(KERNEL_DOCUMENT, withKernelStages(readFileSync(KERNEL_DOCUMENT, "utf8")));
