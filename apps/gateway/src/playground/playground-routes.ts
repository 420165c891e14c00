import type { FastifyInstance } from "fastify";

import type { AccessHooks } from "../http/access.ts";
import { sendEventStream } from "../http/event-stream.ts";
import type { PlaygroundPlace, PlaygroundSimulator } from "./playground-simulator.ts";

interface SayBody {
  readonly place: string;
  readonly by: string;
  readonly text: string;
  readonly mentionBot?: boolean;
}

const sayBody = {
  type: "object",
  required: ["place", "by", "text"],
  additionalProperties: false,
  properties: {
    place: { type: "string", maxLength: 128 },
    by: { type: "string", maxLength: 128 },
    text: { type: "string", minLength: 1, maxLength: 16_384 },
    mentionBot: { type: "boolean" },
  },
} as const;

/** Lets the console play a person on the simulated platforms. Registered in the playground only. */
export function playgroundRoutes(
  server: FastifyInstance,
  access: AccessHooks,
  simulators: readonly PlaygroundSimulator[],
): void {
  const find = (
    platform: string,
    key: string,
  ): { readonly simulator: PlaygroundSimulator; readonly place: PlaygroundPlace } | null => {
    const simulator = simulators.find((candidate) => candidate.platform === platform);
    const place = simulator?.places.find((candidate) => candidate.key === key);
    return simulator === undefined || place === undefined ? null : { simulator, place };
  };
  const missing = { error: "not_found", message: "The playground has no such place." };
  const hidden = { schema: { hide: true }, preHandler: access.read };

  server.get("/api/playground", hidden, async () => ({
    panes: simulators.map(({ platform, title, bot, places }) => ({
      platform,
      title,
      bot,
      places: places.map(({ key, title: name, kind, needsMention, people }) => ({
        key,
        title: name,
        kind,
        needsMention,
        people,
      })),
    })),
  }));
  server.get<{ Params: { platform: string; key: string } }>(
    "/api/playground/:platform/places/:key",
    hidden,
    async (request, reply) => {
      const found = find(request.params.platform, request.params.key);
      return found === null ? reply.code(404).send(missing) : found.simulator.view(found.place);
    },
  );
  server.post<{ Params: { platform: string }; Body: SayBody }>(
    "/api/playground/:platform/say",
    { ...hidden, schema: { hide: true, body: sayBody } },
    async (request, reply) => {
      const { place: key, by, text, mentionBot = false } = request.body;
      const found = find(request.params.platform, key);
      if (found === null || !found.place.people.includes(by)) return reply.code(404).send(missing);
      return found.simulator.say({ by, place: found.place, text, mentionBot });
    },
  );
  server.get<{ Params: { platform: string } }>("/api/playground/:platform/stream", hidden, async (request, reply) => {
    const simulator = simulators.find((candidate) => candidate.platform === request.params.platform);
    if (simulator === undefined) return reply.code(404).send(missing);
    sendEventStream(request, reply, (send) => simulator.onChange(() => send("change", {})));
    return reply;
  });
}
