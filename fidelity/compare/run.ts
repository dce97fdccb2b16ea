import type { Evidence } from '../../conformance/model/report.ts';
import { createCaller } from '../../conformance/target/creations.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import { nextQuery, nextToldBy } from '../../conformance/target/next-page.ts';
import { pathSegment, type TargetCall } from '../../conformance/target/target.ts';
import { recordsIn } from '../response.ts';
import {
  createForOtherKey,
  idAt,
  isWrite,
  type MadeRecord,
  noteChange,
  oddAbout,
  type Run,
  recognize,
  recordAt,
  startLive,
  stopLive,
  type TimeSpan,
} from './made.ts';
import { compareMedia, readMedia } from './media.ts';
import { type Move, oddIn, type RequestMove, toCall } from './moves.ts';
import { differ, type Finding, isPending, type Two } from './records.ts';
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
    if (!(await maySend(run, move))) return undefined;
    // A request may delete what it names, so that is described before.
    const odd = [...oddAbout(run, move), ...oddIn(move)];
    return { ...step, odd, ...(await requestBoth(run, move, exchanges)) };
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const isLast = !('operation' in move) || error instanceof Blocked || isWrite(move);
    return { ...step, unanswered: error.message, isLast };
  }
}

/** Whether there is what a request asks for, and it writes to nothing but this run's. */
async function maySend(run: Run, move: RequestMove): Promise<boolean> {
  if (move.follow && !run.next.has(move.operation)) return false;
  if (move.id?.of === 'other-key' && !(await createForOtherKey(run))) return false;
  if (!isWrite(move)) return true;
  // A service may call the session of one of its streams another's.
  const ids = (move.id && recordAt(run, move.id))?.ids ?? [];
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
  exchanges: Two<Evidence[]>,
): Promise<Pick<SequenceStep, 'responses' | 'findings' | 'isLast'>> {
  const { clock, isReplay } = run;
  const begun = clock.now();
  for (let pause = 20; ; pause = Math.min(2 * pause, 2_000)) {
    const from = clock.now();
    const responses = await sendBoth(run, move, exchanges);
    const span = { from, to: clock.now() };
    const shown = [sessionsIn(run, responses[0], 0), sessionsIn(run, responses[1], 1)] as const;
    const isCut = [isListCut(responses[0]), isListCut(responses[1])] as const;
    const lateness = isReplay ? judgeRecorded(shown) : judgeTimes(shown, span, isCut);
    const isAnyPending = shown.some((sessions) => [...sessions.values()].some(isPending));
    const isOpen = move.untilReady === true && lateness === undefined && isAnyPending;
    if ((isOpen || lateness === 'ask again') && clock.now() < begun + run.patience) {
      await clock.pause(pause);
      continue;
    }
    // What has not settled in time is not known; what was recorded had settled.
    if (lateness === 'ahead' || (lateness === 'ask again' && !isReplay)) {
      return { responses, findings: [] };
    }
    const findings =
      typeof lateness === 'object'
        ? [lateness]
        : [...compareBoth(run, move, responses), ...(await compareReady(run, move, shown))];
    const isLast = await noteChange(run, move, responses, { from, to: clock.now() });
    return { responses, findings: findings.slice(0, mostFindings), isLast };
  }
}

function callOf(run: Run, move: RequestMove, side: 0 | 1): TargetCall {
  return toCall(move, {
    apiKey: run.services[side].target.apiKey,
    idOf: (place) => pathSegment(idAt(run, place, side)),
    etagOf: (path) => run.etags[side].get(path),
    next: run.next.get(move.operation)?.[side],
  });
}

/** Sends the request of a move to both sides, once. */
async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Evidence[]>,
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

/** How the media of the first recording differs, where the move waited for it. */
async function compareReady(
  { services, correspondence }: Run,
  { untilReady }: RequestMove,
  shown: Two<ShownSessions>,
): Promise<Finding[]> {
  const [session] = shown[0].keys();
  if (untilReady !== true || session === undefined) return [];
  const read = [shown[0].get(session) ?? {}, shown[1].get(session) ?? {}] as const;
  if (!read.every(({ recordingStatus }) => recordingStatus === 'ready')) return [];
  const media = await both(services, ({ target }, side) => readMedia(target, read[side]));
  return compareMedia(media, correspondence);
}

/** How two responses to the same request differ, as far as the sequence can tell. */
function compareBoth(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const { correspondence, sharedLists } = run;
  // A key that is almost right may be that of another account, which has no such stream.
  const isVague = move.wrong?.some(({ error }) => /^key:(empty|cut|extended)$/.test(error));
  if (isVague && responses.every(({ status }) => status >= 400 && status <= 499)) return [];
  const found = compareResponses(responses, {
    correspondence,
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

function isListCut(response: TargetResponse): boolean {
  return nextToldBy(response) !== 'not';
}

/** Whether and how both sides point to a next page, which is what `follow` then asks for. */
function compareNext(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const lists = responses.map(recordsIn);
  if (!lists.every((list) => list?.isList)) return [];
  const showsOthers = lists.some((list, side) =>
    list?.records.some((one) => !recognize(run, side as 0 | 1, one)),
  );
  if (showsOthers) run.sharedLists.add(move.operation);
  const one = nextPath(run, move, responses, 0);
  const other = nextPath(run, move, responses, 1);
  if (one !== undefined && other !== undefined) run.next.set(move.operation, [one, other]);
  const first = nextToldBy(responses[0]);
  const second = nextToldBy(responses[1]);
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
  if (!isListCut(responses[side])) return undefined;
  const [path = '', query = ''] = callOf(run, move, side).path.split('?');
  const next = nextQuery(responses[side], query);
  return next && path + next;
}

function sessionsIn(run: Run, response: TargetResponse, side: 0 | 1): ShownSessions {
  const { records = [] } = recordsIn(response) ?? {};
  const entries = records.flatMap((record): [MadeRecord, JsonObject][] => {
    const session = recognize(run, side, record);
    return session?.kind === 'session' ? [[session, record]] : [];
  });
  return new Map(entries);
}

/** The sessions that a response shows. */
type ShownSessions = ReadonlyMap<MadeRecord, JsonObject>;

/** What a difference between two responses has to do with time. */
type Lateness =
  /** The sides may agree if they are asked again. */
  | 'ask again'
  /** One was recorded before the other got so far. */
  | 'ahead'
  /** One is so much later than the other that it differs. */
  | Finding
  /** Nothing. */
  | undefined;

/** The first side is asked again until it shows the sessions that were recorded on the second, as ready. */
function judgeRecorded([one, other]: Two<ShownSessions>): Lateness {
  const isAhead = [...one].some(([session, record]) => {
    const recorded = other.get(session);
    return recorded !== undefined && isPending(recorded) && !isPending(record);
  });
  if (isAhead) return 'ahead';
  const isBehind = [...other].some(([session, record]) => {
    const shown = one.get(session);
    return shown === undefined || (isPending(shown) && !isPending(record));
  });
  return isBehind ? 'ask again' : undefined;
}

/**
 * Notes when sessions are first seen, and tells what only time may have changed from a difference.
 * @param isCut whether a side has more on a further page
 */
function judgeTimes(shown: Two<ShownSessions>, span: TimeSpan, isCut: Two<boolean>): Lateness {
  for (const side of [0, 1] as const) {
    for (const [{ seen }, record] of shown[side]) {
      seen[side].shown ??= span.to;
      if (!isPending(record)) seen[side].ready ??= span.to;
    }
  }
  const sessions = new Set([...shown[0].keys(), ...shown[1].keys()]);
  const all = [...sessions].flatMap((session) => {
    const records = [shown[0].get(session), shown[1].get(session)] as const;
    return judgeSession(session, records, span, isCut) ?? [];
  });
  return all.find((one) => one !== 'ask again') ?? all[0];
}

function judgeSession(
  { began, ended, seen }: MadeRecord,
  [one, other]: Two<JsonObject | undefined>,
  span: TimeSpan,
  isCut: Two<boolean>,
): Lateness {
  if (one !== undefined && other !== undefined) {
    if (ended === undefined || isPending(one) === isPending(other)) return undefined;
    const late = isPending(one) ? 0 : 1;
    const { ready = span.to } = seen[otherSide[late]];
    return judgeLate(late, ended, span.from, ready);
  }
  const missing = one === undefined ? 0 : 1;
  // What was shown before is missing for another reason.
  if (isCut[missing] || seen[missing].shown !== undefined || began === undefined) return undefined;
  const { shown = span.to } = seen[otherSide[missing]];
  const lateness = judgeLate(missing, began, span.from, shown);
  return lateness === 'ask again' ? lateness : undefined;
}

const otherSide = [1, 0] as const;

/** How much later one side may be: a part of the delay, and milliseconds. */
const tolerance = { part: 1.2, milliseconds: 200 };

/** What it means that on one side something has not come yet, as it came on the other side at `came`. */
function judgeLate(
  late: 0 | 1,
  since: Two<TimeSpan>,
  notYet: number,
  came: number,
): 'ask again' | Finding {
  const early = otherSide[late];
  const least = notYet - since[late].to;
  const most = came - since[early].from;
  if (least <= most * tolerance.part + tolerance.milliseconds) return 'ask again';
  const longer = `longer (${Math.round(notYet - since[late].from)} ms)`;
  const shorter = `shorter (${Math.round(came - since[early].to)} ms)`;
  const kinds = late === 0 ? ([longer, shorter] as const) : ([shorter, longer] as const);
  return { where: 'delay until ready', kinds };
}
