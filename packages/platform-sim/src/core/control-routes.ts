import type { FastifyInstance, FastifyReply } from "fastify";

import type { ChangeFeed } from "./change-feed.ts";
import { checkBody } from "./check-body.ts";
import { ControlError } from "./control-error.ts";
import type { FaultRequest } from "./fault-request.ts";
import type { Faults } from "./faults.ts";
import type { Recorder } from "./recorder.ts";
import type { SimClock } from "./sim-clock.ts";

/** What every simulated platform gives its control surface. */
export interface ControlTarget {
  readonly clock: SimClock;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly feed: ChangeFeed;
  /** `POST /_sim/<verb>` by verb. */
  readonly verbs: Readonly<Record<string, (body: never) => object>>;
  readonly messages: (place: string) => readonly object[];
  readonly place: (place: string) => object;
  readonly emit: (event: Record<string, unknown>) => object;
  readonly app: ((body: Record<string, unknown>) => object) | null;
  readonly state: () => object;
  readonly reset: () => void;
}

function since(query: unknown): number {
  const { since: given = "0" } = query as { readonly since?: string };
  if (!/^\d+$/.test(given)) throw new ControlError("since is the number of the last one seen.", "since", "a number");
  return Number(given);
}

async function answer(reply: FastifyReply, run: () => unknown): Promise<unknown> {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return reply.code(400).send({ error: error.message, field: error.field, expected: error.expected });
  }
}

/** The control surface under `/_sim`, the same for all platforms. With a token every call must bear it. */
export function controlRoutes(server: FastifyInstance, target: ControlTarget, token: string | undefined): void {
  void server.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
        return reply
          .code(401)
          .send({ error: "unauthorized", field: "authorization", expected: "Bearer <control token>" });
      return undefined;
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
      try {
        done(null, body === "" ? {} : (JSON.parse(String(body)) as unknown));
      } catch {
        done(null, null);
      }
    });
    const bodyOf = (body: unknown): Record<string, unknown> => {
      if (body === undefined) return {};
      if (typeof body !== "object" || body === null || Array.isArray(body))
        throw new ControlError("The body is not a JSON object.", "", "a JSON object");
      return body as Record<string, unknown>;
    };

    for (const [verb, run] of Object.entries(target.verbs))
      scope.post(`/_sim/${verb}`, async (request, reply) =>
        answer(reply, () => {
          // What is null is left out: many clients write absent fields so.
          const given = Object.entries(bodyOf(request.body)).filter(([, value]) => value !== null);
          const body = Object.fromEntries(given);
          checkBody(verb, body);
          return run(body as never);
        }),
      );
    scope.post("/_sim/emit", async (request, reply) =>
      answer(reply, () => {
        const { event } = bodyOf(request.body);
        if (typeof event !== "object" || event === null || Array.isArray(event))
          throw new ControlError("There is no event.", "event", "a native event");
        return target.emit(event as Record<string, unknown>);
      }),
    );
    scope.get<{ Params: { id: string } }>("/_sim/places/:id/messages", async (request, reply) =>
      answer(reply, () => target.messages(request.params.id)),
    );
    scope.get<{ Params: { id: string } }>("/_sim/places/:id", async (request, reply) =>
      answer(reply, () => target.place(request.params.id)),
    );
    for (const kind of ["calls", "events"] as const)
      scope.get(`/_sim/${kind}`, async (request, reply) =>
        answer(reply, () => {
          const from = since(request.query);
          return target.recorder[kind].filter((entry) => entry.seq > from);
        }),
      );
    scope.get("/_sim/violations", async () => target.recorder.violations);
    scope.post("/_sim/faults", async (request, reply) =>
      answer(reply, () => target.faults.add(bodyOf(request.body) as unknown as FaultRequest)),
    );
    scope.post<{ Params: { id: string } }>("/_sim/faults/:id/release", async (request, reply) =>
      answer(reply, () => found(target.faults.release(request.params.id))),
    );
    scope.delete<{ Params: { id: string } }>("/_sim/faults/:id", async (request, reply) =>
      answer(reply, () => found(target.faults.remove(request.params.id))),
    );
    scope.post("/_sim/app", async (request, reply) =>
      answer(reply, () => {
        if (target.app === null)
          throw new ControlError(
            "This platform's bots say themselves where they are called.",
            "",
            "a platform with an HTTP mode of its own",
          );
        return target.app(bodyOf(request.body));
      }),
    );
    scope.post("/_sim/clock", async (request, reply) =>
      answer(reply, () => {
        const { advanceMs } = bodyOf(request.body);
        if (target.clock.mode === "real")
          throw new ControlError(
            "The clock runs by itself; start with --clock manual to move it.",
            "advanceMs",
            "a manual clock",
          );
        if (typeof advanceMs !== "number" || advanceMs < 0)
          throw new ControlError("Time goes on by a number of milliseconds.", "advanceMs", "a number of 0 or more");
        target.clock.advance(advanceMs);
        return { now: target.clock.now() };
      }),
    );
    scope.post("/_sim/reset", async () => {
      target.reset();
      return { ok: true };
    });
    scope.get("/_sim/state", async () => target.state());
    scope.get("/_sim/stream", (request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      reply.raw.write(": connected\n\n");
      const stop = target.feed.listen(
        (change) => void reply.raw.write(`event: change\ndata: ${JSON.stringify(change)}\n\n`),
      );
      request.raw.on("close", stop);
    });
  });
}

function found(isThere: boolean): { readonly ok: true } {
  if (!isThere) throw new ControlError("There is no fault with this id.", "id", "the id of a fault");
  return { ok: true };
}
