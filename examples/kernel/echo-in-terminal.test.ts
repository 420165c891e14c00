import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const program = join(import.meta.dirname, "echo-in-terminal.ts");

it("answers on the terminal", () => {
  const said = execFileSync(process.execPath, ["--conditions=@turnwire/source", program], { encoding: "utf8" });
  expect(said).toBe("Echo: hello\n");
});

it("is what the README shows", () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  expect(readme).toContain(readFileSync(program, "utf8"));
});
