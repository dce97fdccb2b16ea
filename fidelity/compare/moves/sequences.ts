import * as fc from 'fast-check';
import { isReading } from '../../../conformance/target/gate.ts';
import { nearKeyNames } from '../../../conformance/target/near-keys.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { Json } from '../../json.ts';
import {
  type Edit,
  type Move,
  type OperationName,
  operations,
  type Place,
  type RequestMove,
} from './move.ts';
import * as odd from './odd-values.ts';

/** What the compared sides offer beside the interface. */
export interface Offers {
  /** Whether streams can go live; with `stop` they end when asked to. */
  readonly live: (typeof lives)[number];
  /** What the requests of a page have as their `Origin`. */
  readonly origin: string;
}

const lives = ['none', 'broadcast', 'stop'] as const;

type Part = Partial<RequestMove>;
type Weighted<Value> = readonly [weight: number, arbitrary: fc.Arbitrary<Value>];

/** One of some arbitraries, each with its weight; a sequence that is made shorter tries the first. */
function oneOf<Value>(...options: readonly Weighted<Value>[]): fc.Arbitrary<Value> {
  const weighted = options.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.oneof({ withCrossShrink: true }, ...weighted);
}

/** At most so many of something, which a shorter sequence has fewer of. */
function upTo<Value>(maxLength: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  return fc.array(arbitrary, { maxLength, size: 'max' });
}

const none = fc.constant<Part>({});
const position = fc.nat({ max: 5 });
const otherPlaces = [
  ...(['stream', 'session', 'session', 'deleted', 'deleted', 'deleted'] as const),
  ...(['unknown', 'other-key', 'malformed'] as const),
];

function places(usual: Place['of'], unusual: number): fc.Arbitrary<Place> {
  const others = fc.constantFrom<Place['of'][]>(...otherPlaces);
  const of = oneOf([100 - unusual, fc.constant(usual)], [unusual, others]);
  return fc.record({ of, at: position });
}

function named(usual: Place['of'], unusual: number): fc.Arbitrary<Part> {
  return places(usual, unusual).map((id) => ({ id }));
}

/** Streams by their playback id, and sessions by their id. */
const playable = places('stream', 55).map(
  (place): Part => ({ id: place.of === 'session' ? place : { ...place, by: 'playbackId' } }),
);

const profiles = fc
  .subarray([...recommendedProfiles], { minLength: 1 })
  .map((chosen): Json => chosen.map((profile) => ({ ...profile })));
/** The body of a new stream that every service takes. */
const newStream: fc.Arbitrary<Part> = fc
  .record(
    { name: fc.constant('compared'), profiles, record: fc.boolean() },
    { requiredKeys: ['name'] },
  )
  .map((body) => ({ body }));

/** What is odd in a body, in so many of ten: one field at most times, as one may hide the other. */
function edits(fields: readonly (readonly Edit[])[], inTen: number): fc.Arbitrary<Part> {
  const edit = fc.oneof(...fields.map((some) => fc.constantFrom(...some)));
  return oneOf<Part>(
    [10 - inTen, none],
    [inTen - 1, edit.map((one) => ({ edits: [one] }))],
    [1, upTo(2, edit).map((two) => ({ edits: two }))],
  );
}

/** Parameters of a list, by how often they come; two at times. */
function query(odds: Readonly<Partial<Record<odd.QueryName | 'parentId', number>>>) {
  const one = fc.oneof(
    ...Object.entries(odds).map(([name, weight]) => {
      const texts = odd.queries[name as odd.QueryName] ?? [];
      const values = name === 'parentId' ? places('stream', 15) : fc.constantFrom(...texts);
      return {
        weight,
        arbitrary: (values as fc.Arbitrary<string | Place>).map((value) => ({ [name]: value })),
      };
    }),
  );
  const two = fc.tuple(one, one).map(([a, b]): Part => ({ query: { ...a, ...b } }));
  return oneOf<Part>([3, none], [9, one.map((only) => ({ query: only }))], [1, two]);
}

const chosen = { unknownParameter: 3, active: 2, order: 2, filters: 2 } as const;
const empty = fc.constant<Part>({ body: {} });
const on = fc.constant<Part>({ body: { record: true } });

/** How often each operation comes, and what its request has. */
const requests: Readonly<Record<OperationName, readonly [number, ...fc.Arbitrary<Part>[]]>> = {
  createStream: [26, newStream, edits(odd.inNewStream, 9)],
  listStreams: [12, query({ limit: 6, cursor: 3, ...chosen })],
  retrieveStream: [12, named('stream', 40)],
  updateStream: [16, named('stream', 30), empty, edits(odd.inUpdate, 9)],
  deleteStream: [6, named('stream', 35)],
  setRecord: [14, named('stream', 45), on, edits(odd.inSwitch, 6)],
  listSessionsOfStream: [
    18,
    named('stream', 35),
    query({ record: 8, limit: 3, cursor: 2, ...chosen }),
  ],
  listSessions: [13, query({ parentId: 4, record: 4, limit: 2, cursor: 1, ...chosen })],
  retrieveSession: [9, named('session', 50)],
  terminateStream: [7, named('stream', 45)],
  retrievePlayback: [7, playable],
  unknownRoute: [4, fc.constantFrom<Part[]>({}, { method: 'POST', body: {} })],
};

const credential = fc
  .constantFrom('none', 'none', 'wrong', 'wrong', 'lower-case', 'other-scheme', 'bare', 'empty')
  .map((one) => ({ credential: one }) as Part);
const nearCredential = fc.constantFrom(...nearKeyNames).map((one): Part => ({ credential: one }));
const preflight = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
  headers: fc.constantFrom('authorization', 'authorization,content-type', 'x-other'),
});
const oddBody = oneOf<Part>(
  [12, fc.constantFrom(...odd.texts).map((text) => ({ text }))],
  [7, fc.constantFrom(...odd.types).map((type) => ({ type }))],
  [5, fc.constantFrom(...odd.sizes).map((size) => ({ size }))],
);
/** A client that replaces a whole stream. */
const replacement = fc
  .boolean()
  .map((record): Part => ({ method: 'PUT', body: { name: 'replaced', record } }));

/**
 * Methods that no operation has at a path. None is tried at a list, as it might change all that is in it,
 * nor at a playback, as a run knows of no playback that it is its own.
 */
function otherMethods(operation: OperationName): fc.Arbitrary<Part> {
  const { path } = operations[operation];
  if (/^\/(stream|session)$/.test(path) || operation === 'retrievePlayback') return none;
  const offered = Object.values(operations).filter((one) => one.path === path);
  const others = ['PUT', 'POST', 'PATCH', 'DELETE', 'GET'].filter(
    (method) => !offered.some((one) => one.method === method),
  );
  return fc.constantFrom(...others).map((method) => ({ method }));
}

/** What may be odd about any request of an operation: nothing at most times. */
function oddities(operation: OperationName, origin: string): fc.Arbitrary<Part> {
  const { method } = operations[operation];
  const reads = method === 'GET' ? 1 : 0;
  const writes = ['POST', 'PATCH'].includes(method) || operation === 'unknownRoute' ? 1 : 0;
  const isNear = ['setRecord', 'listSessionsOfStream'].includes(operation) ? 1 : 0;
  return oneOf<Part>(
    [62, none],
    [8, credential],
    [5, fc.constant({ origin })],
    [9, fc.constantFrom<Part[]>({ path: 'slash' }, { path: 'upper-case' }, { method: 'OPTIONS' })],
    [3, otherMethods(operation)],
    [4, preflight.map((asked) => ({ method: 'OPTIONS', preflight: asked, origin }))],
    [14 * reads, fc.constantFrom<Part[]>({ method: 'HEAD' }, { cached: true })],
    [20 * writes, oddBody],
    [10 * writes, fc.tuple(credential, oddBody).map(([key, body]) => ({ ...key, ...body }))],
    [6 * isNear, nearCredential],
    [operation === 'updateStream' ? 3 : 0, replacement],
  );
}

const bodiless = ['GET', 'HEAD', 'OPTIONS', 'DELETE'];

/**
 * A request of an operation. A text takes the place of a body, and some methods have none. What writes
 * has no query, from which a careless service might take an id of what the run did not create.
 */
function request(operation: OperationName, origin: string): fc.Arbitrary<Move> {
  const [, ...parts] = requests[operation];
  return fc.tuple(oddities(operation, origin), ...parts).map(([strange, ...usual]) => {
    const all: RequestMove = Object.assign({ operation }, ...usual, strange);
    const method = all.method ?? operations[operation].method;
    const { query: _, ...withoutQuery } = all;
    const move = isReading(method) ? all : withoutQuery;
    const { body: __, edits: ___, ...withText } = move;
    const { text, size, type, ...withNone } = withText;
    if (bodiless.includes(method)) return withNone;
    return text === undefined ? move : withText;
  });
}

const streamZero: Pick<RequestMove, 'id'> = { id: { of: 'stream', at: 0 } };
const create: Move = { operation: 'createStream', body: { name: 'compared' } };
const recorded: Move = {
  operation: 'createStream',
  body: { name: 'recorded', record: true, profiles: [{ ...recommendedProfiles[1] }] },
};
const remove: Move = { operation: 'deleteStream', ...streamZero };
const switchOn: Move = { operation: 'setRecord', ...streamZero, body: { record: true } };
const switchOff: Move = { operation: 'setRecord', ...streamZero, body: { record: false } };
const live: Move = { start: 0, seconds: 3.2 };

/** What chance alone would meet too seldom: how a sequence may begin, and what it needs of the sides. */
const beginnings: readonly (readonly [Offers['live'], weight: number, readonly Move[]])[] = [
  ['none', 4, []],
  ['none', 4, [create, remove]],
  ['none', 1, [create, create, create, create, create, create]],
  ['broadcast', 4, [recorded, live, switchOff, { start: 0, seconds: 6.4 }]],
  ['broadcast', 1, [recorded, live, live, live, live, live, live]],
  ['stop', 1, [create, { start: 0 }, remove]],
  ['stop', 1, [create, { start: 0 }, switchOn]],
];

/** Waiting for recordings takes seconds on a real service, so few sequences do. */
const untilReady: readonly Move[] = [
  recorded,
  { operation: 'updateStream', ...streamZero, body: { profiles: [{ ...recommendedProfiles[1] }] } },
  live,
  { operation: 'listSessionsOfStream', ...streamZero, query: { record: '1' }, untilReady: true },
  { operation: 'retrievePlayback', id: { of: 'session', at: 0 } },
];

/** What is left out only when a sequence is made shorter. */
function mostly<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> {
  return oneOf<readonly Value[]>([1, fc.constant([])], [1_000, arbitrary.map((value) => [value])]);
}

function shorter(moves: readonly Move[]): fc.Arbitrary<readonly Move[]> {
  const parts = moves.map((move) => mostly(fc.constant(move)));
  return fc.tuple(...parts).map((all) => all.flat());
}

/** A random sequence of moves that begins with new streams. */
export function sequences({ live: offered, origin }: Offers): fc.Arbitrary<readonly Move[]> {
  const isLive = offered === 'none' ? 0 : 1;
  const stops = offered === 'stop' ? 1 : 0;
  const seconds = fc.constantFrom(3.2, 6.4);
  const move = oneOf<Move>(
    ...Object.entries(requests).map(([name, [weight]]): Weighted<Move> => {
      return [10 * weight, request(name as OperationName, origin)];
    }),
    [50, fc.constant({ follow: true })],
    [80 * isLive, fc.record({ start: position, seconds })],
    [12 * isLive, fc.record({ wait: fc.constantFrom(0, 0, 20, 100) })],
    [80 * stops, fc.record({ start: position })],
    [50 * stops, fc.record({ stop: position })],
  );
  const begins = beginnings
    .filter(([needs]) => lives.indexOf(needs) <= lives.indexOf(offered))
    .map(([, weight, moves]) => [weight, shorter(moves)] as const);
  const streams = fc.tuple(mostly(newStream), upTo(1, newStream)).map((all) => all.flat());
  // fast-check leaves out the first first, and the last move is the one that shows a difference.
  const usual = fc.tuple(upTo(30, move), streams, oneOf(...begins)).map(([rest, bodies, begin]) => {
    const created = bodies.map((body): Move => ({ operation: 'createStream', ...body }));
    return [...begin, ...created, ...rest.toReversed()];
  });
  return fc.oneof(
    { weight: 100, arbitrary: usual },
    { weight: isLive, arbitrary: shorter(untilReady) },
  );
}
