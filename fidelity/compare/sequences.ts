import * as fc from 'fast-check';
import type { TargetCall } from '../../conformance/target/call.ts';
import type { JsonObject } from '../../conformance/target/read-response.ts';
import { isSafeMethod } from '../../conformance/target/well-known.ts';
import { type Endpoint, errorsOf, type Flaw } from '../../interface/dialect/errors.ts';
import type { Json } from '../../interface/json.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { makeWrong, routeOf } from '../wrong-calls.ts';
import { type Move, type Position, requestOf } from './moves.ts';

/** A part of a request with nothing wrong in it. */
interface Part {
  readonly id?: Position;
  readonly query?: string;
  readonly body?: JsonObject;
  /** Instead of the operation's own. */
  readonly call?: Partial<TargetCall>;
  /** What is unusual about it. */
  readonly trait?: string;
}

/** Something wrong with a request, and the name of that error in a dialect. */
interface Mistake {
  readonly error: string;
  readonly flaw: Flaw;
}

type Weighted<Value> = readonly [weight: number, arbitrary: fc.Arbitrary<Value>];

/** One of several arbitraries, each with a weight. */
function weighted<Value>(...options: readonly Weighted<Value>[]): fc.Arbitrary<Value> {
  return fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** An object of one of these kinds. */
function oneAt(...kinds: Position['of'][]): fc.Arbitrary<Position> {
  return fc.record({ of: fc.constantFrom(...kinds), at: fc.nat({ max: 5 }) });
}

const anywhere = weighted(
  [3, oneAt('stream', 'session', 'session')],
  [3, oneAt('deleted')],
  [2, oneAt('unknown', 'malformed')],
);

/** An object of the usual kind or, this many times in a hundred, of any kind. */
function named(usual: Position['of'], unusual: number): fc.Arbitrary<{ id: Position }> {
  return fc.record({ id: weighted([100 - unusual, oneAt(usual)], [unusual, anywhere]) });
}

/** Streams by their playback id, and sessions by their id. */
const playable = named('stream', 55).map(
  ({ id }): Part => ({ id: id.of === 'session' ? id : { ...id, by: 'playbackId' } }),
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
    .map((ofError) => ofError.filter((one) => canHave(routeOf(endpoint), one)))
    .filter((ofError) => ofError.length > 0)
    .map((ofError) => fc.constantFrom(...ofError));
  const wrong = fc.oneof(...ways).map((one) => [one]);
  const atMostOne = (right: number) =>
    weighted<Mistake[]>([right, fc.constant([])], [ways.length, wrong]);
  const atMostTwo = fc.tuple(atMostOne(nothingWrong), atMostOne(8 * nothingWrong));
  // The method comes first: what else can be wrong depends on it.
  const isOfMethod = ({ flaw }: Mistake): number => Number('method' in flaw);
  return atMostTwo.map((both) =>
    both.flat().sort((one, other) => isOfMethod(other) - isOfMethod(one)),
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
const updates = [{ body: { name: 'renamed' } }, { body: { profiles } }];

/** How often each operation is sent, and what a good request of it has. */
const requests: Readonly<Record<Endpoint, readonly [number, ...fc.Arbitrary<Part>[]]>> = {
  createStream: [26, goodCreation],
  listStreams: [12],
  retrieveStream: [12, named('stream', 40)],
  updateStream: [16, named('stream', 30), fc.constantFrom<Part[]>({ body: {} }, ...updates)],
  deleteStream: [6, named('stream', 35)],
  setRecord: [14, named('stream', 45), fc.record({ body: fc.record({ record: fc.boolean() }) })],
  listSessionsOfStream: [
    18,
    named('stream', 35),
    fc.constantFrom<Part[]>({}, { query: 'record=1' }),
  ],
  listSessions: [13, named('stream', 15)],
  retrieveSession: [9, named('session', 50)],
  terminateStream: [7, named('stream', 45)],
  retrievePlayback: [7, playable],
  unknownRoute: [
    4,
    fc.constantFrom<Part[]>({}, { call: { method: 'POST' }, body: {}, trait: 'POST' }),
  ],
};

/** What may be unusual about a request without being wrong; usually nothing. */
function unusual(endpoint: Endpoint, origin: string): fc.Arbitrary<Part> {
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
  const parts: Part[] = [
    { call: { headers: { origin } }, trait: 'origin' },
    { call: { method: 'OPTIONS' }, trait: 'OPTIONS' },
    { call: preflight, trait: 'preflight' },
  ];
  if (routeOf(endpoint).method === 'GET') parts.push({ call: { method: 'HEAD' }, trait: 'HEAD' });
  return weighted([80, fc.constant({})], [20, fc.constantFrom(...parts)]);
}

/** A request of an operation. */
function request(endpoint: Endpoint, origin: string): fc.Arbitrary<Move> {
  const [, ...usual] = requests[endpoint];
  const parts = fc.tuple(...usual, unusual(endpoint, origin));
  return fc.tuple(parts, mistakes(endpoint)).map(([some, wrong]) => {
    const { id, body, query, call: own }: Part = Object.assign({}, ...some);
    const traits = some.flatMap((part) => part.trait ?? []);
    let call: TargetCall = { ...requestOf(endpoint, { body, query }).call, ...own };
    for (const mistake of wrong) {
      if (!canHave(call, mistake)) continue;
      call = makeWrong(call, mistake.flaw, '{key}');
      traits.push(mistake.error);
    }
    const { body: _, ...bare } = call;
    const sent = hasBody(call) ? call : bare;
    return { endpoint, call: sent, traits, ...(id && call.path.includes('{id}') && { id }) };
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
    [80, fc.record({ start: oneAt('stream'), seconds })],
    [80, fc.record({ start: oneAt('stream') })],
    [50, fc.record({ stop: oneAt('live') })],
  );
  const begins = beginnings.map(([weight, moves]) => [weight, fc.constant(moves)] as const);
  const rest = fc.array(move, { maxLength: 30, size: 'max' });
  const usual = fc.tuple(weighted(...begins), rest).map((parts) => parts.flat());
  return weighted([100, usual], [1, fc.constant(untilReady)]);
}
