import * as fc from 'fast-check';
import {
  type Endpoint,
  type ErrorId,
  errorsOf,
  type Flaw,
} from '../../interface/dialect/errors.ts';
import type { Json } from '../../interface/json.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { TargetCall } from '../../target/requests/call.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { isSafeMethod } from '../../target/requests/well-known.ts';
import { makeWrong, routeOf } from '../operation-calls.ts';
import { type Move, type Position, requestOf, type Trait } from './moves.ts';

/** A part of a request with nothing wrong in it. */
interface RequestPart {
  readonly id?: Position;
  readonly query?: string;
  readonly body?: JsonObject;
  /** In place of parts of the operation's request. */
  readonly call?: Partial<TargetCall>;
  /** What is unusual about it. */
  readonly trait?: Trait;
}

/** Something wrong with a request, and the name of that error in a dialect. */
interface Mistake {
  readonly error: ErrorId;
  readonly flaw: Flaw;
}

type Weighted<Value> = readonly [weight: number, arbitrary: fc.Arbitrary<Value>];

/** One of several arbitraries, each with a weight. */
function weighted<Value>(...options: readonly Weighted<Value>[]): fc.Arbitrary<Value> {
  return fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** An object of one of these kinds. */
function positionOf(...kinds: Position['of'][]): fc.Arbitrary<Position> {
  return fc.record({ of: fc.constantFrom(...kinds), at: fc.nat({ max: 5 }) });
}

const anyPosition = weighted(
  [3, positionOf('stream', 'session', 'session')],
  [3, positionOf('deleted')],
  [2, positionOf('unknown', 'malformed')],
);

/** An object of a kind or, this many times in a hundred, of any kind. */
function withId(kind: Position['of'], percent: number): fc.Arbitrary<{ id: Position }> {
  return fc.record({ id: weighted([100 - percent, positionOf(kind)], [percent, anyPosition]) });
}

/** Streams by their playback id, and sessions by their id. */
const playable = withId('stream', 55).map(
  ({ id }): RequestPart => ({ id: id.of === 'session' ? id : { ...id, by: 'playbackId' } }),
);

/** The body of a new stream, as every service accepts it. */
const goodCreation: fc.Arbitrary<{ body: JsonObject }> = fc.record({
  body: fc.record(
    {
      name: fc.constant('compared'),
      profiles: fc.subarray([...recommendedProfiles], { minLength: 1 }),
      record: fc.boolean(),
    },
    { requiredKeys: ['name'] },
  ),
});

/** How often nothing is wrong, compared with once for each way to be wrong. */
const nothingWrong = 60;

/** At most two mistakes; rarely two, as one may hide the other. */
function mistakes(endpoint: Endpoint): fc.Arbitrary<Mistake[]> {
  const ways = errorsOf[endpoint]
    .map(({ id: error, flaws }) => flaws.map((flaw): Mistake => ({ error, flaw })))
    .map((mistakesOf) => mistakesOf.filter((mistake) => canHave(routeOf(endpoint), mistake)))
    .filter((mistakesOf) => mistakesOf.length > 0)
    .map((mistakesOf) => fc.constantFrom(...mistakesOf));
  const wrong = fc.oneof(...ways).map((mistake) => [mistake]);
  const atMostOne = (right: number) =>
    weighted<Mistake[]>([right, fc.constant([])], [ways.length, wrong]);
  const atMostTwo = fc.tuple(atMostOne(nothingWrong), atMostOne(8 * nothingWrong));
  // The method comes first: what else can be wrong depends on it.
  const isOfMethod = ({ flaw }: Mistake): number => Number('method' in flaw);
  return atMostTwo.map((chosen) =>
    chosen.flat().sort((left, right) => isOfMethod(right) - isOfMethod(left)),
  );
}

function hasBody({ method }: TargetCall): boolean {
  return !isSafeMethod(method) && method !== 'DELETE';
}

/**
 * Whether a request can have a mistake and still writes only to what the sequence made. A request that writes
 * has no query, because a careless service might read an id from it. A key that is almost right may belong to
 * another account, as in a mock that accepts every `test-…` key.
 */
function canHave(call: TargetCall, { error, flaw }: Mistake): boolean {
  const reads = isSafeMethod(call.method);
  if (/^(field|body):/.test(error)) return hasBody(call);
  if (error.startsWith('query:') || 'id' in flaw) return reads;
  if ('method' in flaw) return /^\/(stream|session)\/\{id\}/.test(call.path);
  if (error.startsWith('key:')) return call.credential !== 'none' && !/cut|extended/.test(error);
  return 'path' in flaw && (reads || /trailing-slash|letter-case/.test(error));
}

const profiles: Json = [{ ...recommendedProfiles[1] }];
const updates: RequestPart[] = [{ body: { name: 'renamed' } }, { body: { profiles } }];

/** How often each operation is sent, and what a good request of it has. */
const requests: Readonly<Record<Endpoint, readonly [number, ...fc.Arbitrary<RequestPart>[]]>> = {
  createStream: [26, goodCreation],
  listStreams: [12],
  retrieveStream: [12, withId('stream', 40)],
  updateStream: [16, withId('stream', 30), fc.constantFrom({ body: {} }, ...updates)],
  deleteStream: [6, withId('stream', 35)],
  setRecord: [14, withId('stream', 45), fc.record({ body: fc.record({ record: fc.boolean() }) })],
  listSessionsOfStream: [18, withId('stream', 35), fc.constantFrom({}, { query: 'record=1' })],
  listSessions: [13, withId('stream', 15)],
  retrieveSession: [9, withId('session', 50)],
  terminateStream: [7, withId('stream', 45)],
  retrievePlayback: [7, playable],
  unknownRoute: [4, fc.constantFrom({}, { call: { method: 'POST' }, body: {}, trait: 'POST' })],
};

/** What may be unusual about a request without being wrong; usually nothing. */
function unusualPart(endpoint: Endpoint, origin: string): fc.Arbitrary<RequestPart> {
  // What a browser sends before a request to another origin, always without the key.
  const preflight: Partial<TargetCall> = {
    method: 'OPTIONS',
    credential: 'none',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    },
  };
  const parts: RequestPart[] = [
    { call: { headers: { origin } }, trait: 'origin' },
    { call: { method: 'OPTIONS' }, trait: 'OPTIONS' },
    { call: preflight, trait: 'preflight' },
  ];
  if (routeOf(endpoint).method === 'GET') parts.push({ call: { method: 'HEAD' }, trait: 'HEAD' });
  return weighted([80, fc.constant({})], [20, fc.constantFrom(...parts)]);
}

/** A request of an operation. */
function request(endpoint: Endpoint, origin: string): fc.Arbitrary<Move> {
  const [, ...goodParts] = requests[endpoint];
  const parts = fc.tuple(...goodParts, unusualPart(endpoint, origin));
  return fc.tuple(parts, mistakes(endpoint)).map(([chosenParts, chosenMistakes]) => {
    const { id, body, query, call: partOfCall }: RequestPart = Object.assign({}, ...chosenParts);
    const traits = chosenParts.flatMap((part) => part.trait ?? []);
    let call: TargetCall = { ...requestOf(endpoint, { body, query }).call, ...partOfCall };
    for (const mistake of chosenMistakes) {
      if (!canHave(call, mistake)) continue;
      call = makeWrong(call, mistake.flaw, '{key}');
      traits.push(mistake.error);
    }
    const { body: _, ...withoutBody } = call;
    const sentCall = hasBody(call) ? call : withoutBody;
    return { endpoint, call: sentCall, traits, ...(id && call.path.includes('{id}') && { id }) };
  });
}

const newest: Position = { of: 'stream', at: 0 };
const create = requestOf('createStream', { body: { name: 'compared' } });
const recorded = requestOf('createStream', { body: { name: 'recorded', record: true, profiles } });
const remove = requestOf('deleteStream', { id: newest });
const switchOn = requestOf('setRecord', { id: newest, body: { record: true } });
const switchOff = requestOf('setRecord', { id: newest, body: { record: false } });
const live: Move = { start: newest, seconds: 3.2 };

/** How a sequence may begin, and how often: with what chance alone would rarely produce. */
const beginnings: readonly (readonly [weight: number, readonly Move[]])[] = [
  [4, [create]],
  [4, [create, remove]],
  [1, [create, create, create, create, create, create]],
  [4, [recorded, live, switchOff, { start: newest, seconds: 6.4 }]],
  [1, [recorded, live, live, live, live, live, live]],
  [1, [create, { start: newest }, remove]],
  [1, [create, { start: newest }, switchOn]],
];

/** Waiting for recordings takes seconds on a real service, so few sequences do. */
const untilReady: readonly Move[] = [
  recorded,
  requestOf('updateStream', { id: newest, body: { profiles } }),
  live,
  requestOf('listSessionsOfStream', { id: newest, query: 'record=1', untilReady: true }),
  requestOf('retrievePlayback', { id: { of: 'session', at: 0 } }),
];

/**
 * A random sequence of moves that begins with new streams.
 * @param origin the `Origin` of requests from a page
 */
export function sequences(origin: string): fc.Arbitrary<readonly Move[]> {
  const seconds = fc.constantFrom(3.2, 6.4);
  const move = weighted<Move>(
    ...Object.entries(requests).map(([name, [weight]]): Weighted<Move> => {
      return [10 * weight, request(name as Endpoint, origin)];
    }),
    [80, fc.record({ start: positionOf('stream'), seconds })],
    [80, fc.record({ start: positionOf('stream') })],
    [50, fc.record({ stop: positionOf('live') })],
  );
  const begins = beginnings.map(([weight, moves]) => [weight, fc.constant(moves)] as const);
  const furtherMoves = fc.array(move, { maxLength: 30, size: 'max' });
  const ordinary = fc.tuple(weighted(...begins), furtherMoves).map((parts) => parts.flat());
  return weighted([100, ordinary], [1, fc.constant(untilReady)]);
}
