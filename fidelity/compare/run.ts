import type { Evidence } from '../../conformance/model/report.ts';
import { createCaller } from '../../conformance/target/creations.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import { nextToldBy } from '../../conformance/target/next-page.ts';
import { pathSegment, type TargetCall } from '../../conformance/target/target.ts';
import { recordsIn } from '../response.ts';
import {
  idAt,
  type MadeRecord,
  noteChange,
  oddAbout,
  type Run,
  recognize,
  recordAt,
  startLive,
  stopLive,
} from './made.ts';
import { compareMedia } from './media.ts';
import { isWrite, type Move, type RequestMove } from './moves.ts';
import { compareDurations, differ, type Finding, isPending, type Two } from './records.ts';
import { compareResponses } from './responses.ts';
import { both } from './sides.ts';

/** A move with what was sent and what came. */
export interface SequenceStep {
  readonly move: Move;
  /** What is not usual in it. */
  readonly odd: readonly string[];
  readonly exchanges: Two<readonly Evidence[]>;
  /** Absent where the move sent no request to the interface, or a side did not respond. */
  readonly responses?: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Why a side did not respond. */
  readonly unanswered?: string;
  /** Whether nothing can be compared after it, as only one side did it, or may have. */
  readonly isLast?: boolean;
}

/** Runs moves on both sides until one of them alone changes something, or may have, or `isEnough`. */
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

/** Takes a step on both sides; `undefined` where there is nothing to do. */
async function tryStep(run: Run, move: Move): Promise<SequenceStep | undefined> {
  const exchanges: Two<Evidence[]> = [[], []];
  const step = { move, odd: [], exchanges, findings: [] };
  try {
    if ('start' in move) return (await startLive(run, move.start, move.seconds)) ? step : undefined;
    if ('stop' in move) return (await stopLive(run, move.stop)) ? step : undefined;
    if (!maySend(run, move)) return undefined;
    // A request may delete what it names, so that is described before.
    const odd = [...oddAbout(run, move), ...(move.odd ?? [])];
    return { ...step, odd, ...(await requestBoth(run, move, exchanges)) };
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const isLast = !('operation' in move) || error instanceof Blocked || isWrite(move);
    return { ...step, unanswered: error.message, isLast };
  }
}

/** Whether there is what a request asks for, and it writes to nothing but this run's. */
function maySend(run: Run, move: RequestMove): boolean {
  if (!isWrite(move)) return true;
  // A service may call the session of one of its streams another's.
  const ids = (move.id && recordAt(run, move.id))?.ids ?? [];
  return run.services.every(({ target }, side) => !ids[side] || target.gate.owns(ids[side]));
}

/** Places of one response that are told as different: who has read so many knows enough. */
const maxFindings = 100;

/** Sends a request to both sides. @throws NoResponse or CheckFailure if a side does not respond in full */
async function requestBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Evidence[]>,
): Promise<Pick<SequenceStep, 'responses' | 'findings' | 'isLast'>> {
  const { responses, sessions, delays } = await settle(run, move, exchanges);
  const isReady = move.untilReady === true;
  // What is at another stage on each side is not known; a target may be further than what was recorded.
  const isUnknown = sessions.some(({ stages: [one, other] }) =>
    run.isReplay ? one > other && other > 0 : one !== other && one > 0 && other > 0,
  );
  const [one, other] = delays;
  const late = isReady ? compareDurations('delay until ready', one, other) : [];
  if (late.length > 0 || isUnknown) return { responses, findings: late };
  const media = isReady ? await compareReady(run, sessions[0]) : [];
  const findings = [...compareBoth(run, move, responses), ...media]
    // A session that is replayed is as long as its encoder makes it.
    .filter(({ where }) => !(run.isReplay && where.endsWith('sourceSegmentsDuration')))
    .slice(0, maxFindings);
  const isLast = await noteChange(run, move, responses);
  return { responses, findings, isLast };
}

/** A session that one of two responses shows, and how far it is: not shown, pending, or ready. */
interface ShownSession {
  readonly records: Two<JsonObject | undefined>;
  readonly stages: Two<0 | 1 | 2>;
}

/** Milliseconds between two requests, and in which a session may appear later on one side. */
const wait = { pause: 100, usual: 200 } as const;

/** Sends a request to both sides, again while time may bring their sessions to the same stage. */
async function settle(
  run: Run,
  move: RequestMove,
  exchanges: Two<Evidence[]>,
): Promise<{ responses: Two<TargetResponse>; sessions: ShownSession[]; delays: Two<number> }> {
  const { clock, isReplay, patience } = run;
  const isOpen = ({ stages: [one, other] }: ShownSession): boolean => {
    if (isReplay) return one < other;
    return move.untilReady ? Math.min(one, other) < 2 : one !== other;
  };
  const mayWait = isReplay || move.untilReady ? patience : wait.usual;
  const longest = isWrite(move) ? 0 : mayWait;
  const delays: [number, number] = [0, 0];
  const begun = clock.now();
  for (;;) {
    const responses = await sendBoth(run, move, exchanges);
    const sessions = sessionsIn(run, responses);
    const waited = clock.now() - begun;
    for (const side of [0, 1] as const) {
      if (sessions.some(({ stages }) => stages[side] < 2)) delays[side] = waited / 1_000;
    }
    if (waited >= longest || !sessions.some(isOpen)) return { responses, sessions, delays };
    await clock.pause(wait.pause);
  }
}

/** The sessions of the sequence that a response shows on one side at least. */
function sessionsIn(run: Run, responses: Two<TargetResponse>): ShownSession[] {
  const found = new Map<MadeRecord, [JsonObject?, JsonObject?]>();
  for (const side of [0, 1] as const) {
    for (const record of recordsIn(responses[side])?.records ?? []) {
      const made = recognize(run, side, record);
      if (made?.kind !== 'session') continue;
      const records = found.get(made) ?? [];
      records[side] = record;
      found.set(made, records);
    }
  }
  return [...found.values()].map(([one, other]) => {
    return { records: [one, other], stages: [stageOf(one), stageOf(other)] };
  });
}

function stageOf(record: JsonObject | undefined): 0 | 1 | 2 {
  if (record === undefined) return 0;
  return isPending(record) ? 1 : 2;
}

/** The request of a move on one side: with that side's ids and key. */
function callOf(run: Run, { call, id }: RequestMove, side: 0 | 1): TargetCall {
  const idOf = () => (id === undefined ? '' : pathSegment(idAt(run, id, side)));
  const headers = Object.entries(call.headers ?? {}).map(([name, value]) => {
    return [name, value.replace('{key}', () => run.services[side].target.apiKey)];
  });
  return { ...call, path: call.path.replace('{id}', idOf), headers: Object.fromEntries(headers) };
}

/** Sends the request of a move to both sides, once. */
async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Evidence[]>,
): Promise<Two<TargetResponse>> {
  return both(run.services, ({ target, creations }, side) => {
    const send = createCaller(target, creations, (exchange) => exchanges[side].push(exchange));
    return send(callOf(run, move, side));
  });
}

/** How the media of a session differs that is ready on both sides. */
async function compareReady({ services }: Run, session?: ShownSession): Promise<Finding[]> {
  const [one, other] = session?.records ?? [];
  const isReady = [one, other].every((record) => record?.['recordingStatus'] === 'ready');
  if (!isReady || !one || !other) return [];
  return compareMedia([services[0].target, services[1].target], [one, other]);
}

/** How two responses to the same request differ, as far as the sequence can tell. */
function compareBoth(
  run: Run,
  { operation }: RequestMove,
  responses: Two<TargetResponse>,
): Finding[] {
  const { correspondence, sharedLists } = run;
  const ownersOf = (side: 0 | 1) => (record: JsonObject) => recognize(run, side, record);
  const found = compareResponses(responses, [ownersOf(0), ownersOf(1)], correspondence);
  const [one, other] = responses.map(recordsIn);
  if (!one?.isList || !other?.isList) return found;
  const isOwn = one.records.every(ownersOf(0)) && other.records.every(ownersOf(1));
  if (!isOwn) sharedLists.add(operation);
  // What others made may be what fills a page.
  if (sharedLists.has(operation)) return found;
  const next = differ('next page', nextToldBy(responses[0]), nextToldBy(responses[1]));
  // Pages of another length show other items.
  return next.length === 0 ? found : [...found.filter(({ where }) => where !== 'items'), ...next];
}
