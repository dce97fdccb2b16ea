import * as z from 'zod';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import { isObject, type Json } from '../json.ts';
import { connect } from '../target/connection.ts';
import {
  addDifferences,
  countDifference,
  increment,
  noteSteps,
  type Tally,
} from './differences.ts';
import { type MadeRecord, placeOfId, type Run, recordAt, startRun } from './made.ts';
import { type Body, type Mistake, type Move, type RequestMove, routeOf } from './moves.ts';
import { createRefusalTexts } from './responses.ts';
import { runSequence } from './run.ts';
import type { Search } from './search.ts';
import { prepareCleaning, type Service } from './sides.ts';

/** The journal of a mock, as it was exported. */
export interface Archive {
  /** How its world began. */
  readonly world: string;
  /**
   * Sends the requests to the target, in their order, and compares each response with the recorded one.
   * What was there, and what testers did, is made there first, or between them.
   */
  readonly replay: (search: Search) => Promise<void>;
}

const text = z.string('a text');
const whole = z.int('a whole number');
const flag = z.boolean('true or false');
const seconds = z.number('seconds').max(1e7, 'seconds');
const headers = z
  .array(z.looseObject({ name: text, value: text }), 'an array of headers')
  .transform((pairs) => new Headers(pairs.map(({ name, value }) => [name, value])));
const profiles = z.array(z.looseObject({}), 'an array of profiles');
const stream = z.looseObject({ id: text, playbackId: text, name: text, profiles, record: flag });
const session = z.looseObject({ id: text, parentId: text, record: flag, duration: seconds });
const ofStream = { after: whole, streamId: text };
const arrangedSchema = z.discriminatedUnion(
  'kind',
  [
    z.looseObject({ kind: z.literal('created'), after: whole, stream }),
    z.looseObject({ kind: z.literal('switched'), ...ofStream, record: flag }),
    z.looseObject({ kind: z.literal('deleted'), ...ofStream }),
    z.looseObject({
      kind: z.literal('live'),
      ...ofStream,
      sessionId: text,
      duration: seconds.exactOptional(),
    }),
    z.looseObject({ kind: z.literal('ended'), ...ofStream, duration: seconds }),
  ],
  'what was done',
);
const entrySchema = z.looseObject({
  request: z.looseObject({
    method: text,
    url: text,
    headers,
    postData: z.looseObject({ text }).exactOptional(),
  }),
  response: z.looseObject({
    status: whole.min(0, 'a status').max(599, 'a status'),
    headers,
    content: z.looseObject({ text: text.exactOptional() }),
  }),
  _livestream: z.looseObject(
    { number: whole, operation: text.exactOptional(), fault: whole.exactOptional() },
    'the number of an exchange of a mock',
  ),
});
const worldSchema = z.looseObject(
  {
    version: z.literal(1, '1'),
    world: text,
    streams: z.array(stream, 'an array'),
    sessions: z.array(session, 'an array'),
    arranged: z.array(arrangedSchema, 'an array'),
  },
  'what a mock writes into the archives that it exports',
);
const archiveSchema = z.looseObject({
  log: z.looseObject({ entries: z.array(entrySchema, 'an array'), _livestream: worldSchema }),
});

type Log = z.infer<typeof archiveSchema>['log'];
type Entry = Log['entries'][number];
type Arranged = z.infer<typeof arrangedSchema>;

/** Reads the HTTP archive of a mock. @throws TypeError, in one sentence, for another text */
export function parseArchive(file: string): Archive {
  const { log } = parseReviewed(file, archiveSchema);
  return { world: log._livestream.world, replay: (search) => replay(search, log) };
}

/** A service that gives the responses that were recorded, and what is known of it. */
interface Replay {
  readonly run: Run;
  /** What it responds next. */
  recorded: Response;
  /** The session that goes live next. */
  session: { readonly id: string; readonly parentId: string } | undefined;
  /** Ids that the mock knew. */
  readonly known: ReadonlySet<string>;
  /** Whether some session could not be made. */
  isIncomplete: boolean;
}

async function replay(search: Search, log: Log): Promise<void> {
  const { found, target, shouldStop, isOver } = search;
  const state = startReplay(search, log);
  const clean = prepareCleaning([target]);
  for (const arranged of beginningOf(log)) await arrange(state, arranged);
  const left = withDurations(log._livestream.arranged);
  for (const entry of log.entries) {
    if (shouldStop() || isOver()) break;
    while (left[0] !== undefined && left[0].after < entry._livestream.number) {
      await arrange(state, left[0]);
      left.shift();
    }
    await sendEntry(found, state, entry);
  }
  if (isOver()) found.comparison.end = 'the time was over';
  // Streams that were there are made before the first entry.
  const hasCreated = state.run.records.some(({ kind }) => kind === 'stream');
  if (hasCreated) found.answered.set('createStream', true);
  found.comparison.sequences = 1;
  await clean(state.run.records);
}

/** What makes the streams and sessions that a world began with. */
function beginningOf({ _livestream: { streams, sessions } }: Log): Arranged[] {
  const after = 0;
  return [
    ...streams.map((one): Arranged => {
      return { kind: 'created', after, stream: { ...one, record: true } };
    }),
    ...sessions.flatMap(({ id, parentId: streamId, record, duration }): Arranged[] => [
      { kind: 'switched', after, streamId, record },
      { kind: 'live', after, streamId, sessionId: id, duration },
    ]),
    ...streams.map(({ id, record }): Arranged => {
      return { kind: 'switched', after, streamId: id, record };
    }),
  ];
}

/** A session that ended before the next request is live for as long as it was, if that can be said. */
function withDurations(arranged: readonly Arranged[]): Arranged[] {
  return arranged.map((one, index) => {
    if (one.kind !== 'live' || one.duration !== undefined) return one;
    const ends = arranged
      .slice(index)
      .find((later) => later.kind === 'ended' && later.streamId === one.streamId);
    if (ends?.kind !== 'ended' || ends.after !== one.after) return one;
    return { ...one, duration: ends.duration };
  });
}

function startReplay(
  { target, clock }: Search,
  { entries, _livestream: { streams, arranged } }: Log,
): Replay {
  const shown = entries.flatMap(({ response }) => [
    ...(response.content.text ?? '').matchAll(/"(?:id|playbackId)":"([^"]+)"/g),
  ]);
  const known = new Set([
    ...shown.map(([, id = '']) => id),
    ...streams.flatMap(({ id, playbackId }) => [id, playbackId]),
    ...arranged.map((one) => (one.kind === 'created' ? one.stream.id : '')),
  ]);
  const connection = connect({
    baseUrl: 'http://recorded.test/api',
    apiKey: 'test-recorded',
    send: async () => state.recorded.clone(),
  });
  for (const id of known) connection.target.gate.adopt(id);
  const recorded: Service = {
    ...connection,
    other: undefined,
    refusals: createRefusalTexts(),
    provider: {
      name: 'control',
      broadcast: async () => ({ ...state.session }),
      goLive: async () => async () => {},
    },
  };
  const services = [target, recorded] as const;
  const state: Replay = {
    run: startRun({ services, clock, patience: 2 * target.patience, isReplay: true }),
    recorded: new Response(),
    session: undefined,
    known,
    isIncomplete: false,
  };
  return state;
}

/** Does what nothing is compared of. */
async function perform({ run }: Replay, move: Move): Promise<boolean> {
  const steps = await runSequence(run, [move]);
  return steps.some(({ isOperation, unanswered }) => isOperation && unanswered === undefined);
}

/** Does what a tester did. */
async function arrange(state: Replay, arranged: Arranged): Promise<void> {
  if (arranged.kind === 'created') {
    const { name, record, profiles: given } = arranged.stream;
    state.recorded = Response.json(arranged.stream, { status: 201 });
    const body = { name, record, ...(given.length > 0 && { profiles: given as Json[] }) };
    await perform(state, { operation: 'createStream', body });
    return;
  }
  const { run } = state;
  const { streamId } = arranged;
  const id = placeOfId(run, streamId);
  if (id?.of !== 'stream') return;
  state.recorded = new Response(null, { status: 204 });
  if (arranged.kind === 'switched') {
    await perform(state, { operation: 'setRecord', id, body: { record: arranged.record } });
  } else if (arranged.kind === 'deleted') {
    await perform(state, { operation: 'deleteStream', id });
  } else if (arranged.kind === 'ended') {
    const live = run.records.filter(({ stop, deleted }) => stop !== undefined && !deleted);
    const at = live.indexOf(recordAt(run, id) as MadeRecord);
    if (at !== -1) await perform(state, { stop: at });
  } else await goLive(state, arranged, id.at);
}

async function goLive(
  state: Replay,
  { streamId, sessionId, duration }: Extract<Arranged, { kind: 'live' }>,
  at: number,
): Promise<void> {
  state.session = { id: sessionId, parentId: streamId };
  const { provider } = state.run.services[0];
  const isLive = 'goLive' in provider && duration === undefined;
  const move: Move = isLive ? { start: at } : { start: at, seconds: duration ?? 3.2 };
  const isMade = 'broadcast' in provider && (await perform(state, move));
  if (!isMade) state.isIncomplete = true;
}

/** Sends a request, and notes how its response differs from the recorded one. */
async function sendEntry(found: Tally, state: Replay, entry: Entry): Promise<void> {
  const move = toMove(entry, state);
  if (typeof move === 'string') return increment(found.comparison.skipped ?? {}, move);
  const { status, headers: recorded, content } = entry.response;
  const hasBody = ![204, 304].includes(status) && content.text !== undefined;
  state.recorded = new Response(hasBody ? content.text : null, { status, headers: recorded });
  const steps = await runSequence(state.run, [move]);
  noteSteps(steps, found);
  for (const step of steps) {
    // A session is as long there as its encoder made it.
    const findings = step.findings.filter(({ where }) => !/sourceSegmentsDuration$/.test(where));
    addDifferences(found, [step], findings);
    for (const finding of findings) countDifference(found, finding, step);
  }
}

/** Why a request of an archive is not sent. */
type Skipped =
  | 'a fault answered it'
  | 'it is for media, or for nothing that the interface has'
  | 'it cannot be sent again'
  | 'what it is about cannot be made there';

/** The request of an entry, with places for the ids of the mock; or why it cannot be sent. */
function toMove(entry: Entry, state: Replay): Move | Skipped {
  const { request, response, _livestream } = entry;
  const { operation = '', fault } = _livestream;
  if (fault !== undefined || response.status === 0) return 'a fault answered it';
  if (!isInterfaceOperation(operation)) {
    return 'it is for media, or for nothing that the interface has';
  }
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const { path, method } = routeOf(operation);
  const pattern = new RegExp(`${path.replace('{id}', '(?<id>[^/]+)')}(?<slash>/?)$`);
  const { id: encoded, slash } = pattern.exec(url?.pathname ?? '')?.groups ?? {};
  const id = encoded === undefined ? undefined : decode(encoded);
  if (url === undefined || slash === undefined || id === null || isHidden(entry)) {
    return 'it cannot be sent again';
  }
  const place = id === undefined ? {} : placeFor(id, state);
  const isOfSession = /session|playback/i.test(operation);
  if (place === undefined || (state.isIncomplete && isOfSession)) {
    return 'what it is about cannot be made there';
  }
  if (url.searchParams.has('cursor')) return nextPage(operation, state);
  return {
    operation,
    ...queryOf(url, state),
    ...place,
    ...(request.method !== method && { method: request.method }),
    ...contentOf(entry, slash === '/'),
  };
}

/** A cursor is the mock's own: the target's next page is asked for instead. */
function nextPage(operation: string, { run }: Replay): Move | Skipped {
  return run.next?.move.operation === operation ? { follow: true } : 'it cannot be sent again';
}

/** The query, with `{id}` for the id of the mock that is in it. */
function queryOf(
  { search, searchParams }: URL,
  { run }: Replay,
): Pick<RequestMove, 'query' | 'id'> {
  if (search === '') return {};
  const named = [...searchParams.values()].find((value) => placeOfId(run, value) !== undefined);
  const id = named && placeOfId(run, named);
  const query = search.slice(1);
  return id ? { query: query.replace(encodeURIComponent(named), '{id}'), id } : { query };
}

/** Whether a part of a request, such as a key, is not in the archive, or the mock only asked to wait. */
function isHidden({ request, response }: Entry): boolean {
  const isOtherScheme = !/^(Bearer |$)/.test(request.headers.get('authorization') ?? '');
  const shown = `${request.url}${request.postData?.text}`;
  return isOtherScheme || response.status === 429 || shown.includes('[API key]');
}

/** The place of what has an id; `undefined` for what the mock knew and the target does not have. */
function placeFor(id: string, { run, known }: Replay): Pick<RequestMove, 'id'> | undefined {
  const place = placeOfId(run, id);
  if (place !== undefined) return { id: place };
  if (known.has(id)) return undefined;
  return { id: { of: id === 'undefined' ? 'malformed' : 'unknown', at: 0 } };
}

/** An id from a path; `null` for percent signs that encode nothing. */
function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** What the headers and the body say; a journal shows no key, but whether it was refused. */
function contentOf({ request, response }: Entry, endsInSlash: boolean): Partial<RequestMove> {
  const origin = request.headers.get('origin');
  const isAnonymous = !request.headers.has('authorization');
  const type = request.headers.get('content-type');
  const sent = request.postData?.text;
  const body = sent === undefined ? undefined : readBody(sent);
  const wrong: (Mistake | false)[] = [
    isAnonymous && { error: 'key:none', mutation: { key: 'none' } },
    !isAnonymous && response.status === 401 && { error: 'key:wrong', mutation: { key: 'wrong' } },
    endsInSlash && { error: 'path:trailing-slash', mutation: { path: 'trailing-slash' } },
    sent !== undefined && !body && { error: 'another body', mutation: { text: sent } },
    sent !== undefined &&
      type !== 'application/json' && { error: 'another type', mutation: { type } },
  ];
  return {
    ...(origin !== null && { origin }),
    ...(request.headers.has('if-none-match') && { cached: true }),
    ...(body && { body }),
    wrong: wrong.filter((one) => typeof one === 'object'),
  };
}

/** A body that is a JSON object; `undefined` for another text, which is sent as it is. */
function readBody(sent: string): Body | undefined {
  try {
    const parsed: unknown = JSON.parse(sent);
    return isObject(parsed) ? (parsed as Record<string, Json>) : undefined;
  } catch {
    return undefined;
  }
}
