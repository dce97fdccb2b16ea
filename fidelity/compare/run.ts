import type { Exchange } from '../../conformance/model/report.ts';
import { createCaller } from '../../conformance/target/creations.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import { nextQuery, nextToldBy } from '../../conformance/target/next-page.ts';
import { type Call, pathSegment } from '../../conformance/target/target.ts';
import { isObject } from '../json.ts';
import {
  createForOtherKey,
  idAt,
  isWrite,
  type MadeRecord,
  noteChange,
  oddAbout,
  perform,
  type Run,
  recognize,
  recordAt,
  type TimeSpan,
} from './made.ts';
import { compareMedia, readMedia } from './media.ts';
import { type Move, oddIn, type RequestMove, toCall } from './moves.ts';
import { differ, type Finding, isPending, type Two } from './records.ts';
import { compareResponses, jsonOf, noteVarying } from './responses.ts';
import { both } from './sides.ts';

/** A move with what was sent and what came. */
export interface SequenceStep {
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

/** Takes a step on both sides; `undefined` where nothing is sent. */
async function tryStep(run: Run, move: Move): Promise<SequenceStep | undefined> {
  const request = requestOf(run, move);
  const exchanges: Two<Exchange[]> = [[], []];
  const step = { move, odd: [], exchanges, findings: [], ...(request && { request }) };
  try {
    if (request === undefined) return { ...step, isOperation: await perform(run, move) };
    if (request.id?.of === 'other-key' && !(await createForOtherKey(run))) return undefined;
    if (isWrite(request) && !isOwn(run, request)) return undefined;
    // A request may delete what it names, so that is described before.
    const odd = [...oddAbout(run, request), ...oddIn(request)];
    return { ...step, odd, isOperation: true, ...(await requestBoth(run, request, exchanges)) };
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const isLast = request === undefined || error instanceof Blocked || isWrite(request);
    return { ...step, isOperation: true, unanswered: error.message, isLast };
  }
}

function requestOf({ next }: Run, move: Move): RequestMove | undefined {
  if ('operation' in move) return move;
  return 'follow' in move && next !== undefined ? { ...next.move, follow: true } : undefined;
}

/** Whether both sides show what a request names as this run's: a service may call its session another's. */
function isOwn(run: Run, { id }: RequestMove): boolean {
  const ids = (id && recordAt(run, id))?.ids ?? [];
  return run.services.every(({ target }, side) => !ids[side] || target.gate.owns(ids[side]));
}

/** Places of one response that are told as different: who has read so many knows enough. */
const mostFindings = 100;

/**
 * Sends a request to both sides, again while only time may be what differs.
 * @throws NoResponse or CheckFailure if a side does not respond in full
 */
async function requestBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Pick<SequenceStep, 'responses' | 'findings' | 'isLast'>> {
  const { clock } = run;
  const deadline = clock.now() + run.patience;
  for (let pause = 20; ; pause = Math.min(2 * pause, 2_000)) {
    const from = clock.now();
    const responses = await sendBoth(run, move, exchanges);
    const span = { from, to: clock.now() };
    const shown = [sessionsIn(run, responses[0], 0), sessionsIn(run, responses[1], 1)] as const;
    const isCut = responses.map((response) => nextToldBy(response) !== 'not');
    const lateness = run.isReplay
      ? judgeRecorded(run, shown, span)
      : judgeTimes(shown, span, isCut);
    const isAnyPending = shown.some((sessions) => [...sessions.values()].some(isPending));
    const isOpen = move.untilReady === true && lateness === undefined && isAnyPending;
    if ((isOpen || lateness === 'ask again') && clock.now() < deadline) {
      await clock.pause(pause);
      continue;
    }
    // What has not settled in time is not known.
    if (lateness === 'ask again' || lateness === 'ahead') {
      return { responses, findings: [] };
    }
    const found = lateness ? [lateness] : await compareSettled(run, move, responses, shown);
    const findings = found.slice(0, mostFindings);
    const whole = { from, to: clock.now() };
    return { responses, findings, isLast: await noteChange(run, move, responses, whole) };
  }
}

function callOf(run: Run, move: RequestMove, side: 0 | 1): Call {
  return toCall(move, {
    apiKey: run.services[side].target.apiKey,
    idOf: (place) => pathSegment(idAt(run, place, side)),
    etagOf: (path) => run.etags[side].get(path),
    next: run.next?.paths[side],
  });
}

/** Sends the request of a move to both sides, once. */
async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Two<TargetResponse>> {
  return both(run.services, async ({ target, creations }, side) => {
    const call = callOf(run, move, side);
    const send = createCaller(target, creations, (exchange) => exchanges[side].push(exchange));
    const response = await send(call);
    const etag = response.headers.get('etag');
    if (etag !== null) run.etags[side].set(call.path, etag);
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
  const forms = found.find(({ where }) => where === 'refusal')?.kinds ?? [];
  const texts = run.services.map(({ refusals }) => refusals);
  if (forms.every((form, side) => texts[side]?.asked.has(form))) {
    return [...found, ...(await compareReady(run, move, shown))];
  }
  const again = await sendBoth(run, move, [[], []]);
  for (const side of [0, 1] as const) {
    texts[side]?.asked.add(forms[side] ?? '');
    noteVarying([responses[side], again[side]], run.services[side].refusals);
  }
  return compareBoth(run, move, responses);
}

/** How the media of the first recording differs, where the move waited for it. */
async function compareReady(
  { services, correspondence }: Run,
  { untilReady }: RequestMove,
  shown: Two<Shown>,
): Promise<Finding[]> {
  const [session] = shown[0].keys();
  if (untilReady !== true || session === undefined) return [];
  const one = shown[0].get(session) ?? {};
  const other = shown[1].get(session) ?? {};
  const areReady = [one, other].every(({ recordingStatus }) => recordingStatus === 'ready');
  if (!areReady) return [];
  const read = [one, other] as const;
  const media = await both(services, ({ target }, side) => readMedia(target, read[side]));
  return compareMedia(media, correspondence);
}

/** How two responses to the same request differ, as far as the sequence can tell. */
function compareBoth(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const { correspondence, services, sharedLists } = run;
  // A key that is almost right may be that of another account, which has no such stream.
  const isVague = move.wrong?.some(({ error }) => /^key:(empty|cut|extended)$/.test(error));
  if (isVague && responses.every(({ status }) => status >= 400 && status <= 499)) return [];
  const found = compareResponses(responses, {
    correspondence,
    refusals: [services[0].refusals, services[1].refusals],
    recognize: (side, record) => recognize(run, side, record),
  });
  const next = compareNext(run, move, responses);
  const isShared = sharedLists.has(move.operation);
  return [
    ...found.filter(({ where }) => {
      const isOfItems = /^(order of )?items$/.test(where);
      // Pages of another length show other items, and where others made some, ours are on other pages.
      if (isOfItems && (next.length > 0 || (isShared && move.follow))) return false;
      return !(isShared && where === 'header link');
    }),
    ...next,
  ];
}

/** Whether and how both sides tell of a next page, which is what `follow` then asks for. */
function compareNext(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const lists = [jsonOf(responses[0]), jsonOf(responses[1])] as const;
  if (!lists.every(Array.isArray)) return [];
  const showsOthers = lists.some((list, side) =>
    (list as unknown[]).some((one) => isObject(one) && !recognize(run, side as 0 | 1, one)),
  );
  if (showsOthers) run.sharedLists.add(move.operation);
  const [one, other] = [nextPath(run, move, responses, 0), nextPath(run, move, responses, 1)];
  if (one !== undefined && other !== undefined) run.next = { move, paths: [one, other] };
  const [first, second] = [nextToldBy(responses[0]), nextToldBy(responses[1])];
  // What others made may be what fills a page.
  const isTheirs = run.sharedLists.has(move.operation) && [first, second].includes('not');
  return isTheirs ? [] : differ('next page', first, second);
}

/** The path and query of the next page on a side; `undefined` without one. */
function nextPath(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  side: 0 | 1,
): string | undefined {
  if (nextToldBy(responses[side]) === 'not') return undefined;
  const [path = '', query = ''] = callOf(run, move, side).path.split('?');
  const next = nextQuery(responses[side], query);
  return next && path + next;
}

/** The sessions that a response shows. */
type Shown = ReadonlyMap<MadeRecord, JsonObject>;

function sessionsIn(run: Run, response: TargetResponse, side: 0 | 1): Shown {
  const body = isSuccess(response) ? jsonOf(response) : undefined;
  const entries = [body]
    .flat()
    .filter(isObject)
    .flatMap((record): [MadeRecord, JsonObject][] => {
      const session = recognize(run, side, record);
      return session?.kind === 'session' ? [[session, record]] : [];
    });
  return new Map(entries);
}

/** What a difference between two responses has to do with time. */
type Lateness =
  /** The sides may agree if they are asked again. */
  | 'ask again'
  /** One is so much later than the other that it differs. */
  | Finding
  /** One was recorded before the other got so far. */
  | 'ahead'
  /** Nothing. */
  | undefined;

/** The first side is asked again until it shows the sessions that were recorded on the second, as ready. */
function judgeRecorded(run: Run, [one, other]: Two<Shown>, { from, to }: TimeSpan): Lateness {
  const isAhead = [...one].some(([session, record]) => {
    const recorded = other.get(session);
    return recorded !== undefined && isPending(recorded) && !isPending(record);
  });
  if (isAhead) return 'ahead';
  const isBehind = [...other].some(([session, record]) => {
    const shown = one.get(session);
    return shown === undefined || (isPending(shown) && !isPending(record));
  });
  run.behindSince = isBehind ? (run.behindSince ?? from) : undefined;
  const { behindSince, patience } = run;
  // The deadline of the request is later, so that what never comes is compared.
  return behindSince !== undefined && to - behindSince < patience / 2 ? 'ask again' : undefined;
}

/** Notes when sessions are seen, and tells what only time may have changed from a difference. */
function judgeTimes(shown: Two<Shown>, span: TimeSpan, isCut: readonly boolean[]): Lateness {
  for (const side of [0, 1] as const) {
    for (const [{ seen }, record] of shown[side]) {
      seen[side].shown ??= span.to;
      if (isPending(record)) seen[side].pending = span.from;
      else seen[side].ready ??= span.to;
    }
  }
  const members = new Set([...shown[0].keys(), ...shown[1].keys()]);
  const all = [...members].flatMap((session) => {
    const [one, other] = [shown[0].get(session), shown[1].get(session)];
    if (one && other) return judgeReady(session, isPending(one) === isPending(other)) ?? [];
    const missing = one === undefined ? 0 : 1;
    return isCut[missing] || !mayComeStill(session, missing, span) ? [] : ('ask again' as const);
  });
  return all.find((one) => one !== 'ask again') ?? all[0];
}

/** Whether the recording of a session that both sides show is ready too late on one of them. */
function judgeReady({ ended, seen }: MadeRecord, isAlike: boolean): Lateness {
  if (ended === undefined) return undefined;
  const later = ([0, 1] as const).find((side) => {
    const { pending } = seen[side];
    const { ready } = seen[side === 0 ? 1 : 0];
    return pending !== undefined && ready !== undefined && isLater(ended, side, pending, ready);
  });
  if (later === undefined) return isAlike ? undefined : 'ask again';
  const wordsFor = (side: 0 | 1): Two<string> => {
    const { pending = 0, ready = 0 } = seen[side];
    const delay = later === side ? pending - ended[side].from : ready - ended[side].to;
    const kind = later === side ? 'longer' : 'shorter';
    return [kind, `${kind} (${Math.round(delay)} ms)`];
  };
  const [one, other] = [wordsFor(0), wordsFor(1)];
  return { where: 'delay until ready', kinds: [one[0], other[0]], words: [one[1], other[1]] };
}

/**
 * Whether a session that a side does not show may come still. Where it was shown before, it is missing for
 * another reason.
 */
function mayComeStill({ began, seen }: MadeRecord, missing: 0 | 1, span: TimeSpan): boolean {
  if (seen[missing].shown !== undefined || began === undefined) return false;
  const { shown = span.to } = seen[missing === 0 ? 1 : 0];
  return !isLater(began, missing, span.from, shown);
}

/** How much later one side may be: a part of the delay, and milliseconds. */
const tolerance = { part: 1.2, milliseconds: 200 };

/** Whether what has not come on a side comes too late, as it came on the other side at `came`. */
function isLater(since: Two<TimeSpan>, side: 0 | 1, notYet: number, came: number): boolean {
  const least = notYet - since[side].to;
  const most = came - since[side === 0 ? 1 : 0].from;
  return least > most * tolerance.part + tolerance.milliseconds;
}
