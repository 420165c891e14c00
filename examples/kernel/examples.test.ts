import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

function output(name: string): string {
  const program = join(import.meta.dirname, `${name}.ts`);
  return execFileSync(process.execPath, ["--conditions=@turnwire/source", program], { encoding: "utf8" });
}

it.each([
  {
    name: "run",
    says: ["drop (missing_mention), false", 'to the room: You said "Ada: hello"', "dispatch, true"],
  },
  {
    name: "run-assembled",
    says: ["recorded agent:main:main", "0 block: Let me see.", "1 final: 5 letters.", "m0 and m1 sent"],
  },
  { name: "run-prepared", says: ["draft: One", "final: One, two, three.", "draft closed"] },
  {
    name: "history-window",
    says: [
      "[Chat messages since your last reply - for context]",
      "Ada: Look at this.",
      "Ada: [1 picture]",
      "",
      "[Current message - respond to this]",
      "Bob: What do you think, bot?",
      "nothing since",
    ],
  },
])("$name runs as it is written", ({ name, says }) => {
  expect(output(name)).toBe(`${says.join("\n")}\n`);
});

it("build-context runs as it is written, and shows nothing of who is not allowed", () => {
  const context: unknown = JSON.parse(output("build-context"));
  expect(context).toMatchObject({
    BodyForAgent: "Ada: what is this?",
    MediaPaths: ["", "2.ogg"],
    MediaUrls: ["https://example.org/1.png", ""],
    MediaTranscribedIndexes: [1],
    ReplyToId: "41",
    CommandAuthorized: false,
  });
  expect(JSON.stringify(context)).not.toContain("secret");
});
