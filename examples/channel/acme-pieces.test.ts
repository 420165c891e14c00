import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { hmacSha256Hex, verifyWebhook } from "@turnwire/adapter-kit";
import { describe, expect, it } from "vitest";

import { acmeAccountSchema, acmeOutcome, acmeWebhook, fetchAcmeFile, renderAcmeTexts } from "./acme-pieces.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");

describe("the worked example of the kit's README", () => {
  it("is this code, word for word", () => {
    expect(read("../../packages/adapter-kit/README.md")).toContain(`\`\`\`ts\n${read("acme-pieces.ts")}\`\`\``);
  });

  it("reads a config", () => {
    const config = acmeAccountSchema.parse({ botToken: "t", signingSecret: "s" });
    expect([config.dmPolicy, config.apiRoot]).toEqual(["pairing", "https://api.acme.example"]);
  });

  it("renders", () => {
    expect(renderAcmeTexts("**Hi** there\n\n1. a\n2. b\n\n| a |\n|---|\n| 1 |")).toEqual([
      "*Hi* there\n\n1. a\n2. b\n\n```\na\n-\n1\n```",
    ]);
    const long = renderAcmeTexts("Some **bold** words. ".repeat(1000));
    expect(long).toHaveLength(5);
    expect(long.every((text) => text.length <= 4000 && text.startsWith("Some") && text.endsWith("."))).toBe(true);
  });

  it("takes its webhook in", () => {
    const bytes = new TextEncoder().encode('{"type":"ping","at":0,"data":null}');
    const signature = hmacSha256Hex("s", "60:", bytes);
    const request = { method: "POST", headers: { "x-acme-timestamp": "60", "x-acme-signature": signature }, bytes };
    expect(verifyWebhook(acmeWebhook("default", "s"), request, 60_000)).not.toHaveProperty("refused");
    expect(verifyWebhook(acmeWebhook("default", "other"), request, 60_000)).toEqual({ refused: "unverified" });
    expect(acmeWebhook("default", "s").parse(bytes, {})).toEqual({
      kind: "respond",
      respond: { status: 200, body: "pong" },
    });
  });

  it("fetches with its token, and tells what a failure means", async () => {
    const server = createServer((request, response) => response.end(request.headers.authorization));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bytes = await fetchAcmeFile(`${origin}/file/1`, `${origin}/api`, "t");
    expect(new TextDecoder().decode(bytes)).toBe("Bearer t");
    server.close();
    await once(server, "close");
    const error: unknown = await fetchAcmeFile(`${origin}/file/1`, origin, "t").catch((reason: unknown) => reason);
    expect(acmeOutcome(error)).toBe("retry");
  });
});
