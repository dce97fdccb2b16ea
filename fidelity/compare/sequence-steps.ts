import { pathSegment } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { Blocked, isOfTarget } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { itemsIn } from '../response-items.ts';
import { type BothSides, onBothSides } from './both-sides.ts';
import { compareMedia } from './compare-media.ts';
import { compareResponses, differInSize, type Finding, isPending } from './equality.ts';
import { isWrite, type Move, type RequestMove, type Trait } from './moves.ts';
import {
  endLiveSession,
  findCreated,
  idOf,
  learnIds,
  noteChange,
  recognize,
  type SequenceRun,
  startLive,
  traitsOf,
} from './sequence-run.ts';

/** A move and its outcome. */
export interface SequenceStep {
  readonly move: Move;
  /** What is unusual in it. */
  readonly traits: readonly Trait[];
  /** Absent where the move sent no request to the interface, or a side did not respond. */
  readonly responses?: BothSides<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Why a side did not respond. */
  readonly unanswered?: string;
  /** Whether nothing can be compared after it, because only one side did it, or may have. */
  readonly isLast?: boolean;
}

/** Runs moves on both sides, until `isEnough`, or until only one side changed something, or may have. */
export async function runSequence(
  run: SequenceRun,
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
async function tryStep(run: SequenceRun, move: Move): Promise<SequenceStep | undefined> {
  const step = { move, traits: [], findings: [] };
  try {
    if ('start' in move) return (await startLive(run, move)) ? step : undefined;
    if ('stop' in move) {
      const stream = findCreated(run, move.stop);
      if (stream === undefined || stream.ends.length === 0) return undefined;
      await endLiveSession(stream);
      return step;
    }
    if (!maySend(run, move)) return undefined;
    // Described first, as the request may delete what it names.
    const traits = [...traitsOf(run, move), ...(move.traits ?? [])];
    return { ...step, traits, ...(await requestBoth(run, move)) };
  } catch (exception) {
    if (!isOfTarget(exception)) throw exception;
    const isLast = !('endpoint' in move) || exception instanceof Blocked || isWrite(move);
    return { ...step, unanswered: exception.message, isLast };
  }
}

/** Whether a request reads, or writes only to what this run created. */
function maySend(run: SequenceRun, move: RequestMove): boolean {
  if (!isWrite(move)) return true;
  // A service may claim that somebody else's session belongs to a stream of the run.
  const ids = (move.id && findCreated(run, move.id))?.ids ?? [];
  return run.services.every(({ target }, side) => !ids[side] || target.gate.owns(ids[side]));
}

/** Sends a request to both sides. @throws NoResponse or CheckFailure if a side does not respond in full */
async function requestBoth(run: SequenceRun, move: RequestMove) {
  const { responses, sessions } = await sendUntilSettled(run, move);
  // A session shows other things while it is pending.
  const stages = sessions.map(stagesOf).find(([left, right]) => {
    return left > 0 && right > 0 && (run.isReplay ? left > right : left !== right);
  });
  if (stages !== undefined) {
    if (!move.untilReady) return { responses, findings: [] };
    const findings = differInSize('recording', ...stages, ['pending', 'ready']);
    return { responses, findings, isLast: true };
  }
  const media = move.untilReady ? await compareMedia(run.services, sessions[0]) : [];
  const findings = [...compareResponses(run, move.endpoint, responses), ...media];
  return { responses, findings, isLast: await noteChange(run, move, responses) };
}

/** A session as each side shows it, or does not. */
type ShownSession = BothSides<JsonObject | undefined>;

/** Milliseconds between two requests, and by which a session may appear later on one side. */
const pauseTime = 100;
const appearanceTime = 200;

/** Sends a request to both sides, and again while their sessions may still reach the same stage. */
async function sendUntilSettled(run: SequenceRun, move: RequestMove) {
  const { clock, isReplay, patience } = run;
  const isOpen = ([left, right]: BothSides<number>): boolean => {
    if (isReplay) return left < right;
    return move.untilReady ? Math.min(left, right) < 2 : left !== right;
  };
  const maxTime = isReplay || move.untilReady ? patience : appearanceTime;
  const end = clock.now() + (isWrite(move) ? 0 : maxTime);
  for (;;) {
    const responses = await sendBoth(run, move);
    const sessions = sessionsIn(run, responses);
    if (clock.now() >= end || !sessions.map(stagesOf).some(isOpen)) return { responses, sessions };
    await clock.pause(pauseTime);
  }
}

/** The sessions of the sequence that at least one side shows. */
function sessionsIn(run: SequenceRun, responses: BothSides<TargetResponse>): ShownSession[] {
  const [left, right] = ([0, 1] as const).map((side) => {
    const list = itemsIn(responses[side])?.items ?? [];
    learnIds(run, side, list);
    return new Map(recognize(run, side, list).map(({ created, item }) => [created, item]));
  });
  return run.items
    .filter(({ kind }) => kind === 'session')
    .map((session): ShownSession => [left?.get(session), right?.get(session)])
    .filter((session) => session.some((item) => item !== undefined));
}

/** The stage of a session on each side: 0 not shown, 1 pending, 2 ready or not recorded. */
function stagesOf([left, right]: ShownSession): BothSides<number> {
  // Only one side may show that it is not recorded.
  const isRecorded = [left, right].every((session) => session?.['record'] !== false);
  const stageOf = (session: JsonObject | undefined): number => {
    if (session === undefined) return 0;
    return isRecorded && isPending(session) ? 1 : 2;
  };
  return [stageOf(left), stageOf(right)];
}

/** Sends the request of a move to both sides, once, with the ids and the key of each. */
function sendBoth(run: SequenceRun, { call, id }: RequestMove): Promise<BothSides<TargetResponse>> {
  return onBothSides(run.services, async ({ target, createCaller }, side) => {
    const path = id ? call.path.replace('{id}', () => pathSegment(idOf(run, id, side))) : call.path;
    const headers = Object.entries(call.headers ?? {}).map(([name, value]) => {
      return [name, value.replace('{key}', () => target.apiKey)];
    });
    return createCaller(() => {})({ ...call, path, headers: Object.fromEntries(headers) });
  });
}
