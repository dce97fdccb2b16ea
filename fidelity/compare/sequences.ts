import * as fc from 'fast-check';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { isReading } from '../../conformance/target/gate.ts';
import type { TargetCall } from '../../conformance/target/target.ts';
import { type Endpoint, errorsOf, type Mutation } from '../../interface/errors.ts';
import type { Json } from '../../interface/json.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { makeWrong, routeOf } from '../calls.ts';
import { type Move, type RecordPlace, requestOf } from './moves.ts';

/** What the compared sides offer beside the interface. */
export interface Offers {
  /** Whether streams can go live; with `stop` they end when asked to. */
  readonly live: 'none' | 'broadcast' | 'stop';
  /** What the requests of a page have as their `Origin`. */
  readonly origin: string;
}

/** A part of a request that is not wrong. */
interface Part {
  readonly id?: RecordPlace;
  readonly query?: string;
  readonly body?: JsonObject;
  /** Instead of the operation's own. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is unusual about it. */
  readonly odd?: string;
}

/** A way in which a request is wrong, and the name of that error in a dialect. */
interface Mistake {
  readonly error: string;
  readonly mutation: Mutation;
}

type Weighted<Value> = readonly [weight: number, arbitrary: fc.Arbitrary<Value>];

/** One of some arbitraries, each with its weight; a sequence that is made shorter tries the first. */
function oneOf<Value>(...options: readonly Weighted<Value>[]): fc.Arbitrary<Value> {
  const weighted = options.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.oneof({ withCrossShrink: true }, ...weighted);
}

const position = fc.nat({ max: 5 });
const otherPlaces = [
  ...(['stream', 'session', 'session', 'deleted', 'deleted', 'deleted'] as const),
  ...(['unknown', 'malformed'] as const),
];

/** An object of the usual kind, or in so many of a hundred of any other. */
function named(usual: RecordPlace['of'], unusual: number): fc.Arbitrary<{ id: RecordPlace }> {
  const others = fc.constantFrom<RecordPlace['of'][]>(...otherPlaces);
  const of = oneOf([100 - unusual, fc.constant(usual)], [unusual, others]);
  return fc.record({ id: fc.record({ of, at: position }) });
}

/** Streams by their playback id, and sessions by their id. */
const playable = named('stream', 55).map(
  ({ id }): Part => ({ id: id.of === 'session' ? id : { ...id, by: 'playbackId' } }),
);

/** The body of a new stream that every service takes. */
const newStream: fc.Arbitrary<{ body: JsonObject }> = fc.record({
  body: fc.record(
    {
      name: fc.constant('compared'),
      profiles: fc.subarray([...recommendedProfiles], { minLength: 1 }),
      record: fc.boolean(),
    },
    { requiredKeys: ['name'] },
  ),
});

/** How often nothing is wrong, where something is as often as there are ways to be wrong. */
const nothingWrong = 60;

/** At most two things that are wrong with a request: one at most times, as one may hide the other. */
function mistakes(operation: Endpoint): fc.Arbitrary<Mistake[]> {
  const ways = errorsOf[operation]
    .map(({ id, wrong }) => wrong.map((mutation) => ({ error: id, mutation })))
    .map((some) => some.filter(({ mutation }) => maySend(routeOf(operation), mutation)))
    .filter((some) => some.length > 0)
    .map((some) => fc.constantFrom(...some));
  const wrong = fc.oneof(...ways).map((one) => [one]);
  const first = oneOf<Mistake[]>([nothingWrong, fc.constant([])], [ways.length, wrong]);
  const second = oneOf<Mistake[]>([8 * nothingWrong, fc.constant([])], [ways.length, wrong]);
  return fc.tuple(first, second).map((both) => both.flat());
}

/**
 * Whether a wrong request writes to nothing but what the sequence made. A key that is almost right may be
 * that of another account, as it is in a mock that accepts every `test-…` key.
 */
function maySend({ method, path }: TargetCall, mutation: Mutation): boolean {
  if ('good' in mutation || 'idOf' in mutation || 'state' in mutation) return false;
  if ('id' in mutation) return isReading(method);
  if ('method' in mutation) return path.includes('{id}') && !path.startsWith('/playback');
  if ('key' in mutation) return !/^(cut|extended)$/.test(mutation.key);
  if (!('path' in mutation)) return true;
  const isKept = ['trailing-slash', 'upper-case'].includes(mutation.path);
  return isKept || (isReading(method) && mutation.path !== 'unknown');
}

const profiles: Json = [{ ...recommendedProfiles[1] }];
const updates = [{ body: { name: 'renamed' } }, { body: { profiles } }];

/** How often each operation comes, and what its request has when nothing is wrong. */
const requests: Readonly<Record<Endpoint, readonly [number, ...fc.Arbitrary<Part>[]]>> = {
  createStream: [26, newStream],
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
  unknownRoute: [4, fc.constantFrom<Part[]>({}, { method: 'POST', body: {}, odd: 'POST' })],
};

/** What may be unusual about a request without being wrong: nothing at most times. */
function unusual(operation: Endpoint, origin: string): fc.Arbitrary<Part> {
  // What a browser asks before a request to another origin.
  const preflight = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type',
  };
  const parts: Part[] = [
    { headers: { origin }, odd: 'origin' },
    { method: 'OPTIONS', odd: 'OPTIONS' },
    { method: 'OPTIONS', headers: preflight, odd: 'preflight' },
  ];
  if (routeOf(operation).method === 'GET') parts.push({ method: 'HEAD', odd: 'HEAD' });
  return oneOf([80, fc.constant({})], [20, fc.constantFrom(...parts)]);
}

/**
 * A request of an operation. Some methods have no body, and so nothing that is wrong with it. What writes
 * has no query, from which a careless service might take an id of what the run did not create.
 */
function request(operation: Endpoint, origin: string): fc.Arbitrary<Move> {
  const [, ...usual] = requests[operation];
  const parts = fc.tuple(...usual, unusual(operation, origin));
  return fc.tuple(parts, mistakes(operation)).map(([some, wrong]) => {
    const { id, query, body, method, headers }: Part = Object.assign({}, ...some);
    const good = requestOf(operation).call;
    const methods = wrong.flatMap(({ mutation }) => ('method' in mutation ? mutation.method : []));
    const sentMethod = methods[0] ?? method ?? good.method;
    const reads = isReading(sentMethod);
    const hasBody = !reads && sentMethod !== 'DELETE';
    const possible = wrong.filter(({ error, mutation }) => {
      // With another method, a request may write.
      if (!maySend({ ...good, method: sentMethod }, mutation)) return false;
      return error.startsWith('query:') ? reads : hasBody || !/^(field|body):/.test(error);
    });
    let call = {
      ...good,
      method: sentMethod,
      ...(reads && query && { path: `${good.path}?${query}` }),
      ...(hasBody && body && { body }),
      ...(headers && { headers }),
    };
    for (const { mutation } of possible) call = makeWrong(call, mutation, '{key}');
    return {
      operation,
      call,
      odd: [...possible.map(({ error }) => error), ...some.flatMap(({ odd = [] }) => odd)],
      ...(id && call.path.includes('{id}') && { id }),
    };
  });
}

const streamZero: { id: RecordPlace } = { id: { of: 'stream', at: 0 } };
const create = requestOf('createStream', { body: { name: 'compared' } });
const recorded = requestOf('createStream', { body: { name: 'recorded', record: true, profiles } });
const remove = requestOf('deleteStream', streamZero);
const switchOn = requestOf('setRecord', { ...streamZero, body: { record: true } });
const switchOff = requestOf('setRecord', { ...streamZero, body: { record: false } });
const live: Move = { start: 0, seconds: 3.2 };

/** How a sequence may begin, and how often: with what chance alone would produce too seldom. */
const beginnings: readonly (readonly [weight: number, readonly Move[]])[] = [
  [4, [create]],
  [4, [create, remove]],
  [1, [create, create, create, create, create, create]],
  [4, [recorded, live, switchOff, { start: 0, seconds: 6.4 }]],
  [1, [recorded, live, live, live, live, live, live]],
  [1, [create, { start: 0 }, remove]],
  [1, [create, { start: 0 }, switchOn]],
];

/** Waiting for recordings takes seconds on a real service, so few sequences do. */
const untilReady: readonly Move[] = [
  recorded,
  requestOf('updateStream', { ...streamZero, body: { profiles } }),
  live,
  requestOf('listSessionsOfStream', { ...streamZero, query: 'record=1', untilReady: true }),
  requestOf('retrievePlayback', { id: { of: 'session', at: 0 } }),
];

/** Moves that are left out only when a sequence is made shorter. */
function shorter(moves: readonly Move[]): fc.Arbitrary<Move[]> {
  const parts = moves.map((move) => fc.option(fc.constant([move]), { nil: [], freq: 1_000 }));
  return fc.tuple(...parts).map((all) => all.flat());
}

/** A random sequence of moves that begins with new streams. */
export function sequences({ live: offered, origin }: Offers): fc.Arbitrary<readonly Move[]> {
  const seconds = fc.constantFrom(3.2, 6.4);
  const move = oneOf<Move>(
    ...Object.entries(requests).map(([name, [weight]]): Weighted<Move> => {
      return [10 * weight, request(name as Endpoint, origin)];
    }),
    [80, fc.record({ start: position, seconds })],
    [80, fc.record({ start: position })],
    [50, fc.record({ stop: position })],
  );
  const begins = beginnings.map(([weight, moves]) => [weight, shorter(moves)] as const);
  const rest = fc.array(move, { maxLength: 30, size: 'max' });
  // fast-check leaves out the first first, and the last move is the one that shows a difference.
  const usual = fc.tuple(rest, oneOf(...begins)).map(([moves, begin]) => {
    return [...begin, ...moves.toReversed()];
  });
  const isOffered = (one: Move): boolean =>
    'operation' in one || offered === 'stop' || (offered === 'broadcast' && 'seconds' in one);
  return oneOf([100, usual], [1, shorter(untilReady)]).map((moves) => moves.filter(isOffered));
}
