import type { Exchange } from '../../../conformance/model/report.ts';
import { createCaller } from '../../../conformance/target/creations.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { post, readId } from '../../../conformance/target/operations.ts';
import { isObject } from '../../json.ts';
import { nextQuery, nextToldBy } from '../../next-page.ts';
import type { Finding } from '../equal/finding.ts';
import { readJson } from '../equal/read-json.ts';
import { isPending } from '../equal/records.ts';
import { compareResponses } from '../equal/responses.ts';
import { operations, type RequestMove } from '../moves/move.ts';
import { endEncoders } from './go-live.ts';
import { addRecord, type MadeRecord, recognize, recordAt, type Span } from './made-records.ts';
import { compareMedia } from './media.ts';
import type { Run } from './run.ts';
import { both, type Two } from './services.ts';
import type { Shown } from './timing.ts';
import { needsOtherKey, toCall } from './to-call.ts';

/** Two responses, and how they differ. */
interface Result {
  readonly responses: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Whether only one side changed something: what follows cannot be compared. */
  readonly onlyOneChanged: boolean;
}

/**
 * Sends a request to both sides, again while only time may be what differs.
 * @throws NoResponse or CheckFailure if a side does not respond in full
 */
export async function requestBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Result | undefined> {
  if (needsOtherKey(move) && !(await createForOtherKey(run))) return undefined;
  const deadline = run.clock.now() + run.patience;
  for (let pause = 20; ; pause = Math.min(2 * pause, 2_000)) {
    const from = run.clock.now();
    const responses = await sendBoth(run, move, exchanges);
    const shown = [sessionsIn(run, responses[0], 0), sessionsIn(run, responses[1], 1)] as const;
    const isCut = responses.map((response) => nextQuery(response, '') !== undefined);
    const lateness = run.timing.judge(shown, { from, to: run.clock.now() }, isCut);
    const isSettled = move.untilReady !== true || lateness !== undefined || !isAnyPending(shown);
    if ((lateness === 'ask again' || !isSettled) && run.clock.now() < deadline) {
      run.onAskAgain?.();
      await run.clock.pause(pause);
      continue;
    }
    // What has not settled in time is not known; what was recorded had settled.
    if (lateness === 'ask again' && run.patience > 0) {
      return { responses, findings: [], onlyOneChanged: false };
    }
    const found =
      typeof lateness === 'object'
        ? [lateness]
        : [...compare(run, move, responses), ...(await compareReady(run, move, shown))];
    const span = { from, to: run.clock.now() };
    const onlyOneChanged = await change(run, move, responses, span);
    return { responses, findings: found, onlyOneChanged };
  }
}

/** How the media of the first recording differs, where the move waited for it. */
async function compareReady(
  { services }: Run,
  { untilReady }: RequestMove,
  shown: Two<Shown>,
): Promise<Finding[]> {
  if (untilReady !== true) return [];
  const [session] = shown[0].keys();
  const one = session && shown[0].get(session);
  const other = session && shown[1].get(session);
  if (one?.['recordingStatus'] !== 'ready' || other?.['recordingStatus'] !== 'ready') return [];
  return compareMedia(services, [one, other]);
}

function isAnyPending(shown: Two<Shown>): boolean {
  return shown.some((sessions) => [...sessions.values()].some(isPending));
}

async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Two<TargetResponse>> {
  return both(run.services, async (service, side) => {
    const call = toCall(move, service, run.made, side);
    const { target, creations } = service;
    const send = createCaller(target, creations, (exchange) => exchanges[side].push(exchange));
    const response = await send(call);
    const { headers } = response;
    const etag = headers.get('etag');
    if (etag !== null) run.made.etags[side].set(call.path, etag);
    return response;
  });
}

function compare(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const { made, correspondence } = run;
  if (isRefusedAnyhow(move, responses)) return [];
  const found = compareResponses(responses, {
    correspondence,
    recognize: (side, record) => recognize(made, side, record),
  });
  const next = compareNext(run, move, responses);
  // Where pages show what others made, ours are on other pages.
  const isElsewhere = move.follow === true && made.sharedLists.has(move.operation);
  return [...found.filter(({ where }) => !isElsewhere || !/items$/.test(where)), ...next];
}

/**
 * Whether both sides refuse a key of which nothing is known but that it must be refused: one that is
 * almost right may be that of another account, which has no such stream.
 */
function isRefusedAnyhow({ credential }: RequestMove, responses: Two<TargetResponse>): boolean {
  const isVague = ['empty', 'short', 'long', 'similar'].some((key) => key === credential);
  return isVague && responses.every(({ status }) => status >= 400 && status <= 499);
}

/** Whether and how both sides tell of a next page, which is what `follow` then asks for. */
function compareNext(
  { made, services }: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
): Finding[] {
  const lists = responses.map(readJson);
  if (!lists.every(Array.isArray)) return [];
  const given = lists.map((list, side) =>
    (list as unknown[]).some(
      (record) => isObject(record) && recognize(made, side as 0 | 1, record) === undefined,
    ),
  );
  if (given.includes(true)) made.sharedLists.add(move.operation);
  const query = new URLSearchParams(Object.entries(move.query ?? {}).filter(isText));
  const [one, other] = responses.map((response) => nextQuery(response, query.toString()));
  if (one !== undefined && other !== undefined) {
    const [first = '', second = ''] = services.map((service, side) =>
      toCall(move, service, made, side as 0 | 1).path.replace(/\?.*/, ''),
    );
    made.next = { move, paths: [first + one, second + other] };
  }
  const [first, second] = [nextToldBy(responses[0]), nextToldBy(responses[1])];
  // What others made may be what fills a page.
  const isTheirs = made.sharedLists.has(move.operation) && [first, second].includes('not');
  return first === second || isTheirs ? [] : [{ where: 'next page', kinds: [first, second] }];
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
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

/** Notes what a request changed; `true` if only one side changed something. */
async function change(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  span: Span,
): Promise<boolean> {
  const { made } = run;
  const { method, path } = operations[move.operation];
  const sent = move.method ?? method;
  if (['GET', 'HEAD', 'OPTIONS'].includes(sent)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (sent === 'POST' && path === '/stream') {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    const shown = responses.map((response) => readJson(response) ?? {}) as [JsonObject, JsonObject];
    if (ids.includes(undefined)) return true;
    addRecord(made, { kind: 'stream', ids: [...ids], shown });
  }
  const addressed = move.id && recordAt(made, move.id);
  if (sent === 'DELETE' && addressed !== undefined) {
    if (move.operation === 'terminateStream') await endEncoders(run, addressed, span);
    else {
      addressed.deleted = true;
      delete addressed.stop;
    }
  }
  return false;
}

/** Creates a stream of another API key, once in a sequence; `false` if that is not possible. */
async function createForOtherKey(run: Run): Promise<boolean> {
  if (run.made.records.some(({ kind }) => kind === 'other-key')) return true;
  const [one, other] = await both(run.services, async ({ other: owner }) => {
    if (owner === undefined) return undefined;
    const send = createCaller(owner.target, owner.creations, () => {});
    return readId(await send(post('/stream', { name: 'of another key' })));
  });
  if (one === undefined || other === undefined) return false;
  addRecord(run.made, { kind: 'other-key', ids: [one, other], shown: [{}, {}] });
  return true;
}
