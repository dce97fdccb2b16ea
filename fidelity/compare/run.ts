import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import { pathSegment, type TargetCall } from '../../conformance/target/target.ts';
import { recordsIn } from '../response.ts';
import { compareResponses, differ, type Finding, isPending } from './equality.ts';
import {
  endLiveSession,
  idAt,
  type MadeRecord,
  noteChange,
  oddAbout,
  type Run,
  recognizeAll,
  recordAt,
  startLive,
} from './made.ts';
import { compareMedia } from './media.ts';
import { isWrite, type Move, type RequestMove } from './moves.ts';
import { both, type Two } from './sides.ts';

/** A move and its outcome. */
export interface SequenceStep {
  readonly move: Move;
  /** What is unusual in it. */
  readonly odd: readonly string[];
  /** Absent where the move sent no request to the interface, or a side did not respond. */
  readonly responses?: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Why a side did not respond. */
  readonly unanswered?: string;
  /** Whether nothing can be compared after it, because only one side did it, or may have. */
  readonly isLast?: boolean;
}

/** Runs moves on both sides, until `isEnough`, or until only one side changed something, or may have. */
export async function runSequence(
  run: Run,
  moves: readonly Move[],
  isEnough: (step: SequenceStep) => boolean = () => false,
): Promise<readonly SequenceStep[]> {
  const steps: SequenceStep[] = [];
  for (const move of moves) {
    const step = await tryStep(run, move);
    if (step === undefined) continue;
    steps.push(step);
    if (step.isLast || isEnough(step)) break;
  }
  return steps;
}

/** Makes a move on both sides; `undefined` if there is nothing to do. */
async function tryStep(run: Run, move: Move): Promise<SequenceStep | undefined> {
  const step = { move, odd: [], findings: [] };
  try {
    if ('start' in move) return (await startLive(run, move)) ? step : undefined;
    if ('stop' in move) {
      const stream = recordAt(run, move.stop);
      if (stream?.stop === undefined) return undefined;
      await endLiveSession(stream);
      return step;
    }
    if (!maySend(run, move)) return undefined;
    // Described first, as the request may delete what it names.
    const odd = [...oddAbout(run, move), ...(move.odd ?? [])];
    return { ...step, odd, ...(await requestBoth(run, move)) };
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const isLast = !('operation' in move) || error instanceof Blocked || isWrite(move);
    return { ...step, unanswered: error.message, isLast };
  }
}

/** Whether a request reads, or writes only to what this run made. */
function maySend(run: Run, move: RequestMove): boolean {
  if (!isWrite(move)) return true;
  // A service may claim that somebody else's session belongs to a stream of the run.
  const ids = (move.id && recordAt(run, move.id))?.ids ?? [];
  return run.services.every(({ target }, side) => !ids[side] || target.gate.owns(ids[side]));
}

/** How many findings of one response are kept: nobody reads more. */
const maxFindings = 100;

/** Sends a request to both sides. @throws NoResponse or CheckFailure if a side does not respond in full */
async function requestBoth(
  run: Run,
  move: RequestMove,
): Promise<Pick<SequenceStep, 'responses' | 'findings' | 'isLast'>> {
  const { responses, sessions } = await settle(run, move);
  // A session shows other things while it is pending.
  const stages = sessions.map(stagesOf).find(([one, other]) => {
    return one > 0 && other > 0 && (run.isReplay ? one > other : one !== other);
  });
  if (stages !== undefined) {
    const wordOf = (stage: number): string => (stage === 1 ? 'pending' : 'ready');
    const findings = differ('recording', wordOf(stages[0]), wordOf(stages[1]));
    return move.untilReady ? { responses, findings, isLast: true } : { responses, findings: [] };
  }
  const media = move.untilReady ? await compareMedia(run.services, sessions[0]) : [];
  const findings = [...compareResponses(run, move.operation, responses), ...media]
    // A replayed session is as long as the encoder makes it.
    .filter(({ where }) => !(run.isReplay && where.endsWith('sourceSegmentsDuration')))
    .slice(0, maxFindings);
  return { responses, findings, isLast: await noteChange(run, move, responses) };
}

/** A session as each side shows it, or does not. */
type ShownSession = Two<JsonObject | undefined>;

/** Milliseconds between two requests, and by which a session may appear later on one side. */
const wait = { pause: 100, usual: 200 } as const;

/** Sends a request to both sides, and again while their sessions may still reach the same stage. */
async function settle(
  run: Run,
  move: RequestMove,
): Promise<{ responses: Two<TargetResponse>; sessions: ShownSession[] }> {
  const { clock, isReplay, patience } = run;
  const isOpen = ([one, other]: Two<number>): boolean => {
    if (isReplay) return one < other;
    return move.untilReady ? Math.min(one, other) < 2 : one !== other;
  };
  const mayWait = isReplay || move.untilReady ? patience : wait.usual;
  const end = clock.now() + (isWrite(move) ? 0 : mayWait);
  for (;;) {
    const responses = await sendBoth(run, move);
    const sessions = sessionsIn(run, responses);
    if (clock.now() >= end || !sessions.map(stagesOf).some(isOpen)) return { responses, sessions };
    await clock.pause(wait.pause);
  }
}

/** The sessions of the sequence that at least one side shows. */
function sessionsIn(run: Run, responses: Two<TargetResponse>): ShownSession[] {
  const found = new Map<MadeRecord, [JsonObject | undefined, JsonObject | undefined]>();
  for (const side of [0, 1] as const) {
    const list = recordsIn(responses[side])?.records ?? [];
    for (const { made, record } of recognizeAll(run, side, list)) {
      if (made.kind !== 'session') continue;
      const shown = found.get(made) ?? [undefined, undefined];
      shown[side] = record;
      found.set(made, shown);
    }
  }
  return [...found.values()];
}

/** The stage of a session on each side: 0 not shown, 1 pending, 2 ready or not recorded. */
function stagesOf([one, other]: ShownSession): Two<number> {
  return [stageOf(one), stageOf(other)];
}

function stageOf(record: JsonObject | undefined): number {
  if (record === undefined) return 0;
  return isPending(record) ? 1 : 2;
}

/** The request of a move for one side, with that side's ids and key. */
function callOf(run: Run, { call, id }: RequestMove, side: 0 | 1): TargetCall {
  const idOf = () => (id === undefined ? '' : pathSegment(idAt(run, id, side)));
  const headers = Object.entries(call.headers ?? {}).map(([name, value]) => {
    return [name, value.replace('{key}', () => run.services[side].target.apiKey)];
  });
  return { ...call, path: call.path.replace('{id}', idOf), headers: Object.fromEntries(headers) };
}

/** Sends the request of a move to both sides, once. */
function sendBoth(run: Run, move: RequestMove): Promise<Two<TargetResponse>> {
  return both(run.services, async ({ createCaller }, side) =>
    createCaller(() => {})(callOf(run, move, side)),
  );
}
