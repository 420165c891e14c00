import {
  accountConfigShape,
  chunkMarkdown,
  classifyTransportError,
  equalSecrets,
  hmacSha256Hex,
  isFreshTimestamp,
  type MarkdownBlock,
  type MarkdownInline,
  measureText,
  safeFetch,
  tablesToCode,
  parseMarkdown,
} from "@turnwire/adapter-kit";
import type { WebhookAdapter } from "@turnwire/turn-ports";
import { z } from "zod";

// config.ts: the keys that all channels share, and this platform's own.
export const acmeAccountSchema = z.strictObject({
  ...accountConfigShape,
  botToken: z.string().min(1),
  signingSecret: z.string().min(1),
  apiRoot: z.url().default("https://api.acme.example"),
});

// outbound/render.ts: the tree in, the platform's form and its length out. The kit finds where to cut.
const inline = (node: MarkdownInline): string => {
  switch (node.type) {
    case "text":
      return node.value.replaceAll(/[*`<>]/g, String.raw`\$&`);
    case "inlineCode":
      return `\`${node.value}\``;
    case "break":
      return "\n";
    case "link":
      return `<${node.url}|${node.children.map(inline).join("")}>`;
    case "strong":
      return `*${node.children.map(inline).join("")}*`;
    case "emphasis":
    case "delete":
      return node.children.map(inline).join("");
  }
};

const block = (node: MarkdownBlock): string => {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return node.children.map(inline).join("");
    case "blockquote":
      return node.children.map((child) => `> ${block(child).replaceAll("\n", "\n> ")}`).join("\n");
    case "code":
      return `\`\`\`${node.lang ?? ""}\n${node.value}\n\`\`\``;
    case "thematicBreak":
      return "———";
    case "list":
      return node.children
        .map((item, index) => {
          const bullet = node.ordered ? `${node.start + index}.` : "•";
          return `${item.continued ? " " : bullet} ${item.children.map(block).join("\n")}`;
        })
        .join("\n");
    case "table":
      // `tablesToCode` left none.
      return "";
  }
};

export function renderAcmeTexts(markdown: string): readonly string[] {
  const chunks = chunkMarkdown(tablesToCode(parseMarkdown(markdown)), {
    limit: 4000,
    render(root) {
      const text = root.children.map(block).join("\n\n");
      return { text, length: measureText(text, "code_points") };
    },
  });
  return chunks.map(({ text }) => text);
}

// inbound/webhook.ts: what only this platform knows about its webhook. The order of steps is the kit's.
export function acmeWebhook(accountId: string, signingSecret: string): WebhookAdapter {
  return {
    path: `/webhooks/acme/${accountId}`,
    secret: signingSecret,
    bodyLimitBytes: 1024 * 1024,
    verify({ headers, bytes }, nowMs) {
      const timestamp = headers["x-acme-timestamp"];
      const expected = hmacSha256Hex(signingSecret, `${timestamp ?? ""}:`, bytes);
      return isFreshTimestamp(timestamp, nowMs) && equalSecrets(headers["x-acme-signature"], expected);
    },
    parse(bytes) {
      const event = z
        .object({ type: z.string(), at: z.number(), data: z.json() })
        .parse(JSON.parse(new TextDecoder().decode(bytes)));
      if (event.type === "ping") return { kind: "respond", respond: { status: 200, body: "pong" } };
      return { kind: "accept", events: [{ type: event.type, payload: event.data, receivedAtMs: event.at }] };
    },
  };
}

// inbound/media.ts: a file that an event names. The token goes to the API's own origin and nowhere else.
export async function fetchAcmeFile(url: string, apiRoot: string, botToken: string): Promise<Uint8Array> {
  const { bytes } = await safeFetch(url, {
    maxBytes: 20 * 1024 * 1024,
    allowOrigin: apiRoot,
    credentials: { origins: [apiRoot], headers: { authorization: `Bearer ${botToken}` } },
  });
  return bytes;
}

// outbound/outcome.ts: a call that failed without an answer. Only what was never written may be sent again blindly.
export function acmeOutcome(error: unknown): "retry" | "unknown" {
  return classifyTransportError(error).written === "no" ? "retry" : "unknown";
}
