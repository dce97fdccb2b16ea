import type { Exchange } from '../../../conformance/model/report.ts';
import { createCaller } from '../../../conformance/target/creations.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../../conformance/target/failure.ts';
import { nextToldBy } from '../../../conformance/target/next-page.ts';
import { isObject } from '../../json.ts';
import type { Finding } from '../equal/finding.ts';
import { readJson } from '../equal/read-json.ts';
import { isPending } from '../equal/records.ts';
import { noteVarying } from '../equal/refusal-forms.ts';
import { isRequest, type Move, oddIn, type RequestMove } from '../moves/move.ts';
import { createForOtherKey, isWrite, noteChange, perform } from './changes.ts';
import { compareBoth } from './compare-both.ts';
import {
  describePlace,
  type MadeRecord,
  type MadeRecords,
  recognize,
  recordAt,
} from './made-records.ts';
import { compareMedia } from './media.ts';
import type { Run } from './run.ts';
import { both, type Two } from './side.ts';
import type { Shown } from './timing.ts';
import { needsOtherKey, toCall } from './to-call.ts';

/** A move with what was sent and what came. */
export interface Step {
  readonly move: Move;
  /** The request that was sent; absent where the move is none. */
  readonly request?: RequestMove;
  /** What is not usual in it. */
  readonly odd: readonly string[];
  readonly exchanges: Two<readonly Exchange[]>;
  /** Whether both sides were asked for something: a request, going live or stopping. */
  readonly isOperation: boolean;
  /** Absent where the move sent no request to the interface, or a side did not respond. */
  readonly responses?: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Why a side did not respond. */
  readonly unanswered?: string;
}

/** How a sequence went. */
export interface Outcome {
  readonly steps: readonly Step[];
  /** Why nothing more is known, if it ended without a response or a session. */
  readonly unknown?: string;
}

/** Runs moves on both sides until one of them alone changes something, or may have, or `isEnough`. */
export async function runSequence(
  run: Run,
  moves: readonly Move[],
  isEnough: (step: Step) => boolean,
): Promise<Outcome> {
  const steps: Step[] = [];
  for (const move of moves) {
    const taken = await tryStep(run, move);
    if (taken === undefined) continue;
    const { step, endsSequence } = taken;
    steps.push(step);
    if (endsSequence) {
      return { steps, ...(step.unanswered !== undefined && { unknown: step.unanswered }) };
    }
    if (isEnough(step)) break;
  }
  return { steps };
}

interface Taken {
  readonly step: Step;
  /** Whether nothing can be compared after it, as only one side did it, or may have. */
  readonly endsSequence: boolean;
}

/** Takes a step on both sides; `undefined` where nothing is sent. */
async function tryStep(run: Run, move: Move): Promise<Taken | undefined> {
  const request = requestOf(move, run.made);
  const exchanges: Two<Exchange[]> = [[], []];
  const step = { move, odd: [], exchanges, findings: [], ...(request && { request }) };
  try {
    if (request === undefined) {
      const isOperation = await perform(run, move);
      return { step: { ...step, isOperation }, endsSequence: false };
    }
    if (needsOtherKey(request) && !(await createForOtherKey(run))) return undefined;
    if (isWrite(request) && !isOwn(run, request)) return undefined;
    // A request may delete what it names, so that is described before.
    const odd = oddIn(request, (place) => describePlace(run.made, place));
    const result = await requestBoth(run, request, exchanges);
    const { responses, findings, onlyOneChanged: endsSequence } = result;
    return { step: { ...step, odd, isOperation: true, responses, findings }, endsSequence };
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const endsSequence = request === undefined || error instanceof Blocked || isWrite(request);
    return { step: { ...step, isOperation: true, unanswered: error.message }, endsSequence };
  }
}

/** Whether both sides show what a request names as this run's: a service may call its session another's. */
function isOwn({ made, services }: Run, { id }: RequestMove): boolean {
  const ids = (id && recordAt(made, id))?.ids ?? [];
  return services.every(({ target }, side) => !ids[side] || target.gate.owns(ids[side]));
}

function requestOf(move: Move, made: MadeRecords): RequestMove | undefined {
  if (isRequest(move)) return move;
  if (!('follow' in move) || made.next === undefined) return undefined;
  return { ...made.next.move, follow: true };
}

/** Two responses, and how they differ. */
interface Result {
  readonly responses: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  readonly onlyOneChanged: boolean;
}

/**
 * Sends a request to both sides, again while only time may be what differs.
 * @throws NoResponse or CheckFailure if a side does not respond in full
 */
async function requestBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Result> {
  const { clock } = run;
  const deadline = clock.now() + run.patience;
  for (let pause = 20; ; pause = Math.min(2 * pause, 2_000)) {
    const from = clock.now();
    const responses = await sendBoth(run, move, exchanges);
    const shown = [sessionsIn(run, responses[0], 0), sessionsIn(run, responses[1], 1)] as const;
    const isCut = responses.map((response) => nextToldBy(response) !== 'not');
    const lateness = run.timing.judge(shown, { from, to: clock.now() }, isCut);
    const isSettled = move.untilReady !== true || lateness !== undefined || !isAnyPending(shown);
    const isOpen = lateness === 'ask again' || !isSettled;
    if (isOpen && clock.now() < deadline) {
      await clock.pause(pause);
      continue;
    }
    // What has not settled in time is not known.
    if (lateness === 'ask again' || lateness === 'ahead') {
      return { responses, findings: [], onlyOneChanged: false };
    }
    const findings = lateness ? [lateness] : await compareSettled(run, move, responses, shown);
    const span = { from, to: clock.now() };
    return { responses, findings, onlyOneChanged: await noteChange(run, move, responses, span) };
  }
}

/** Sends the request of a move to both sides, once. */
async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Two<TargetResponse>> {
  return both(run.services, async ({ target, creations }, side) => {
    const call = toCall(move, target.apiKey, run.made, side);
    const send = createCaller(target, creations, (exchange) => exchanges[side].push(exchange));
    const response = await send(call);
    const etag = response.headers.get('etag');
    if (etag !== null) run.made.etags[side].set(call.path, etag);
    return response;
  });
}

/**
 * How two responses differ. Where the forms of refusals do, it asks for each form once more: a text that
 * is another then, such as the id of the request, is no code that clients read.
 */
async function compareSettled(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  shown: Two<Shown>,
): Promise<Finding[]> {
  const found = compareBoth(run, move, responses);
  if (!addToAsked(run, found)) return [...found, ...(await compareReady(run, move, shown))];
  const again = await sendBoth(run, move, [[], []]);
  for (const side of [0, 1] as const) {
    noteVarying([responses[side], again[side]], run.services[side].refusals);
  }
  return compareBoth(run, move, responses);
}

/** Notes that the forms of two refusals are asked for again; `false` if there are none, or both were before. */
function addToAsked({ services }: Run, found: readonly Finding[]): boolean {
  const kinds = found.find(({ where }) => where === 'refusal')?.kinds ?? [];
  const areNew = kinds.map((form, side) => {
    const asked = services[side]?.refusals.asked;
    const isNew = asked?.has(form) === false;
    asked?.add(form);
    return isNew;
  });
  return areNew.includes(true);
}

/** How the media of the first recording differs, where the move waited for it. */
async function compareReady(
  { services, correspondence }: Run,
  { untilReady }: RequestMove,
  shown: Two<Shown>,
): Promise<Finding[]> {
  if (untilReady !== true) return [];
  const [session] = shown[0].keys();
  const one = session && shown[0].get(session);
  const other = session && shown[1].get(session);
  if (one?.['recordingStatus'] !== 'ready' || other?.['recordingStatus'] !== 'ready') return [];
  return compareMedia(services, [one, other], correspondence.ids);
}

function isAnyPending(shown: Two<Shown>): boolean {
  return shown.some((sessions) => [...sessions.values()].some(isPending));
}

function sessionsIn({ made }: Run, response: TargetResponse, side: 0 | 1): Shown {
  const body = isSuccess(response) ? readJson(response) : undefined;
  const records = Array.isArray(body) ? body : [body];
  const entries = records.filter(isObject).flatMap((record): [MadeRecord, JsonObject][] => {
    const session = recognize(made, side, record);
    return session?.kind === 'session' ? [[session, record]] : [];
  });
  return new Map(entries);
}
