import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KERNEL_DOCUMENT, kernelStages, withKernelStages } from "./kernel-diagram.ts";

describe("the state diagram of the kernel", () => {
  it("in docs/kernel.md is the one that the stage table makes (node tooling/kernel-diagram.ts)", () => {
    const document = readFileSync(KERNEL_DOCUMENT, "utf8");
    expect(withKernelStages(document)).toBe(document);
  });

  it("leads from each stage to the next or to the end, and has no way around finalize", () => {
    const lines = kernelStages().split("\n");
    expect(lines).toContain("    [*] --> ingest");
    expect(lines).toContain("    ingest --> classify: done, skipped");
    expect(lines).toContain("    authorize --> finalize: drop, handled, error");
    expect(lines.filter((line) => line.includes("--> [*]"))).toEqual(["    finalize --> [*]: done, skipped, error"]);
  });

  it("replaces only its own part, and needs to know where that is", () => {
    const [begin, end] = ["begin", "end"].map((word) => `<!-- made by tooling/kernel-diagram.ts: ${word} -->`);
    const made = withKernelStages(`before\n${begin}\nold\n${end}\nafter\n`);
    expect(made.startsWith(`before\n${begin}\n\n\`\`\`mermaid`)).toBe(true);
    expect(made.endsWith(`${end}\nafter\n`)).toBe(true);
    expect(made).not.toContain("old");
    expect(() => withKernelStages("nothing")).toThrow("docs/kernel.md");
  });
});
