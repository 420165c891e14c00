import { accessDetail } from "./access-detail.ts";
import { buildContext } from "./build-context.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import { decideAuthorization } from "./decide-authorization.ts";
import { isPromise } from "./is-promise.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { runTurn } from "./run-turn.ts";
import type { TurnKernel } from "./turn-kernel-api.ts";
import type { RunAssembledParams, RunPreparedParams } from "./turn-params.ts";
import { TurnPass } from "./turn-pass.ts";
import { TurnRun } from "./turn-run.ts";
import type { TurnStage } from "./turn-stage.ts";

/** What these entry points do not have: each tells that it is skipped, so that a reader of events finds nine stages on every turn. */
const STAGES_BEHIND: readonly TurnStage[] = ["ingest", "classify", "preflight", "resolve"];

/** Record to finalize for a context that is finished. */
async function runFinished(
  ports: KernelPorts,
  params: RunAssembledParams | RunPreparedParams,
): Promise<ChannelTurnResult> {
  const pass = new TurnPass(ports, params);
  const run = new TurnRun(ports, pass);
  pass.messageId = params.ctxPayload.MessageSid;
  pass.admission = params.admission;
  const context = Object.freeze(params.ctxPayload);
  run.context = context;
  run.routeSessionKey = params.routeSessionKey ?? params.ctxPayload.SessionKey;
  pass.sessionKey = run.routeSessionKey;
  for (const stage of STAGES_BEHIND) pass.skip(stage);
  try {
    if (authorize(run, params)) {
      pass.skip("assemble");
      const recording = run.record(params, context);
      if (isPromise(recording)) await recording;
      run.recorded();
      await run.dispatch(params, context, undefined);
    }
  } catch (error) {
    await run.fail(error);
  }
  const ending = run.finalize(params.onFinalize);
  return isPromise(ending) ? await ending : ending;
}

/** With `access` the turn is authorized here; without, its caller has done so. False ends it. */
function authorize(run: TurnRun, params: RunAssembledParams | RunPreparedParams): boolean {
  const { pass } = run;
  const { admission, access, sender, conversation } = params;
  if (access === undefined) {
    pass.skip("authorize");
    return admission?.kind !== "drop" && admission?.kind !== "handled";
  }
  pass.start("authorize");
  const isBlocked = admission?.kind === "drop" || admission?.kind === "handled";
  const blocked = isBlocked
    ? admission
    : decideAuthorization({ access, sender, conversation, isCommand: false, command: undefined });
  if (blocked !== null) {
    run.block(blocked, accessDetail(blocked, access));
    return false;
  }
  pass.end("done");
  return true;
}

/** Makes the entry points over the given ports. It keeps nothing between turns. */
export function createTurnKernel(ports: KernelPorts): TurnKernel {
  const runAssembled = (params: RunAssembledParams): Promise<ChannelTurnResult> => runFinished(ports, params);
  // The deprecated names stay until a major release; they are made here and nowhere called.
  /* oxlint-disable typescript/no-deprecated */
  return {
    run: (params) => runTurn(ports, params),
    runAssembled,
    runPrepared: (params) => runFinished(ports, params),
    buildContext,
    async runResolved({ turn, onFinalize, ...options }) {
      return runTurn(ports, {
        ...options,
        raw: turn,
        adapter: {
          ingest: () => ({
            id: turn.messageId ?? turn.ctxPayload?.MessageSid ?? "",
            rawText: turn.message?.rawBody ?? turn.ctxPayload?.RawBody ?? "",
          }),
          resolveTurn: () => turn,
          ...(onFinalize === undefined ? {} : { onFinalize }),
        },
      });
    },
    dispatchAssembled: runAssembled,
  };
}
