import * as fc from 'fast-check';
import { isReading } from '../../conformance/target/gate.ts';
import {
  type Asked,
  type ErrorClass,
  errorsOf,
  fieldError,
  isBodyOperation,
} from '../../interface/errors.ts';
import { fieldsOf, wrongsOf } from '../../interface/fields.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Json } from '../json.ts';
import {
  type Mistake,
  type Move,
  methodOf,
  type RecordPlace,
  type RequestMove,
  routeOf,
} from './moves.ts';

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
const newStream: fc.Arbitrary<Part> = fc
  .record(
    {
      name: fc.constant('compared'),
      profiles: fc
        .subarray([...recommendedProfiles], { minLength: 1 })
        .map((chosen): Json => chosen.map((profile) => ({ ...profile }))),
      record: fc.boolean(),
    },
    { requiredKeys: ['name'] },
  )
  .map((body) => ({ body }));

/** Values beside those that `learn` tries, which stand in the table of errors. */
const oddValues: readonly (Json | undefined)[] = [
  ...[null, true, 0, 1, -1, -30, 0.5, 29.97, '', 'text', '1', 'true', undefined],
  ...[[], ['text'], [null], {}, { a: 1 }, 'renamed', '1080p', ' two  words ', 'Hafen – Süd'],
  ...['港 Cafe\u0301 \ufb01', '🚢', 'a\u0000b', '<b>&amp;</b>'],
];
const oddFields: readonly string[] = ['text', 'rendition', 'whole', 'boolean', 'profiles'];

/** What is wrong with a field that has an odd value, by the name of the error that is. */
function oddWrongs(operation: Asked): Mistake[][] {
  if (!isBodyOperation(operation)) return [];
  const fields = fieldsOf[operation].filter(({ type }) => oddFields.includes(type));
  return fields.map((field) =>
    oddValues.map((value) => {
      const [{ kind } = { kind: 'given' as const }] = wrongsOf(field, value);
      const set = value === undefined ? {} : { value };
      return { error: fieldError(field.path, kind), mutation: { field: field.path, ...set } };
    }),
  );
}

/** Something that is wrong with a request, of some classes: each error as often, and what is given rightly twice. */
function wrong(operation: Asked, ...classes: readonly ErrorClass[]): fc.Arbitrary<Part> {
  const listed = errorsOf[operation].filter((error) => classes.includes(error.class));
  const all = listed.map(({ id, wrong: ways }) =>
    ways.map((mutation): Mistake => ({ error: id, mutation })),
  );
  const possible = [...all, ...(classes.includes('fields') ? oddWrongs(operation) : [])]
    .map((wrongs) => wrongs.filter((one) => maySend(operation, one)))
    .filter((wrongs) => wrongs.length > 0);
  if (possible.length === 0) return none;
  return oneOf(
    ...possible.map((wrongs): Weighted<Part> => {
      const weight = wrongs.every(({ error }) => error.endsWith(':given')) ? 2 : 1;
      return [weight, fc.constantFrom(...wrongs).map((one) => ({ wrong: [one] }))];
    }),
  );
}

/**
 * Whether a wrong request writes to nothing but what the sequence made. A key that is almost right may be
 * that of another account, as it is in a mock that accepts every `test-…` key.
 */
function maySend(operation: Asked, { mutation }: Mistake): boolean {
  const { method, path } = routeOf(operation);
  if ('good' in mutation || 'idOf' in mutation || 'state' in mutation) return false;
  if ('id' in mutation) return isReading(method);
  if ('method' in mutation) return path.includes('{id}') && !path.startsWith('/playback');
  if ('key' in mutation) return !/^(cut|extended)$/.test(mutation.key);
  if (!('path' in mutation)) return true;
  const isKept = ['trailing-slash', 'upper-case'].includes(mutation.path);
  return isKept || (isReading(method) && mutation.path !== 'unknown');
}

const body = fc.constant<Part>({ body: {} });

/** How often each operation comes, and what its request has when nothing is wrong. */
const requests: Readonly<Record<Asked, readonly [number, ...fc.Arbitrary<Part>[]]>> = {
  createStream: [26, newStream],
  listStreams: [12],
  retrieveStream: [12, named('stream', 40)],
  updateStream: [16, named('stream', 30), body],
  deleteStream: [6, named('stream', 35)],
  setRecord: [14, named('stream', 45), fc.constant({ body: { record: true } })],
  listSessionsOfStream: [
    18,
    named('stream', 35),
    fc.constantFrom<Part[]>({}, { query: 'record=1' }),
  ],
  listSessions: [13, named('stream', 15)],
  retrieveSession: [9, named('session', 50)],
  terminateStream: [7, named('stream', 45)],
  retrievePlayback: [7, playable],
  unknownRoute: [4, fc.constantFrom<Part[]>({}, { method: 'POST', body: {} })],
};

const preflight = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
  headers: fc.constantFrom('authorization', 'authorization,content-type', 'x-other'),
});

/** What may be odd about any request of an operation, beside its fields and its query: nothing at most times. */
function oddities(operation: Asked, origin: string): fc.Arbitrary<Part>[] {
  const { method } = routeOf(operation);
  const reads = method === 'GET' ? 1 : 0;
  const key = wrong(operation, 'key', 'no-key');
  const inBody = wrong(operation, 'body');
  const writes = inBody === none ? 0 : 1;
  const usual = oneOf<Part>(
    [62, none],
    [8, key],
    [5, fc.constant({ origin })],
    [6, wrong(operation, 'route')],
    [4, fc.constant({ method: 'OPTIONS' })],
    [4, preflight.map((asked) => ({ method: 'OPTIONS', preflight: asked, origin }))],
    [14 * reads, fc.constantFrom<Part[]>({ method: 'HEAD' }, { cached: true })],
    [2 * reads, wrong(operation, 'id')],
    [20 * writes, inBody],
  );
  return [usual, oneOf<Part>([100, none], [6 * writes, key])];
}

/** What is wrong with the fields or the query: one thing at most times, as one may hide the other. */
function mistakes(operation: Asked): fc.Arbitrary<Part>[] {
  const one = wrong(operation, 'fields', 'query');
  if (one === none) return [];
  return [oneOf<Part>([2, none], [8, one]), oneOf<Part>([9, none], [1, one])];
}

/**
 * A request of an operation. Some methods have no body, and so nothing that is wrong with it. What writes
 * has no query, from which a careless service might take an id of what the run did not create.
 */
function request(operation: Asked, origin: string): fc.Arbitrary<Move> {
  const [, ...usual] = requests[operation];
  const parts = [...usual, ...mistakes(operation), ...oddities(operation, origin)];
  return fc.tuple(...parts).map((all) => {
    const wrongs = all.flatMap((part) => part.wrong ?? []);
    const move: RequestMove = Object.assign({ operation }, ...all, { wrong: wrongs });
    const method = methodOf(move);
    const reads = isReading(method);
    const hasBody = !reads && method !== 'DELETE';
    const possible = wrongs.filter(({ error }) => {
      if (error.startsWith('query:')) return reads;
      return hasBody || !/^(field|body):/.test(error);
    });
    // Of a field or a parameter one value is sent.
    const bySubject = new Map(possible.map((one) => [one.error.replace(/:[^:]*$/, ''), one]));
    const wrong = [...bySubject.values()];
    const { body, query, id, ...rest } = move;
    const isNamed = JSON.stringify([routeOf(operation).path, wrong]).includes('{id}');
    return {
      ...rest,
      wrong,
      ...(id && isNamed && { id }),
      ...(hasBody && body && { body }),
      ...(reads && query && !bySubject.has('query:record') && { query }),
    };
  });
}

const streamZero: Pick<RequestMove, 'id'> = { id: { of: 'stream', at: 0 } };
const create: Move = { operation: 'createStream', body: { name: 'compared' } };
const oneProfile: Json = [{ ...recommendedProfiles[1] }];
const recorded: Move = {
  operation: 'createStream',
  body: { name: 'recorded', record: true, profiles: oneProfile },
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
  { operation: 'updateStream', ...streamZero, body: { profiles: oneProfile } },
  live,
  { operation: 'listSessionsOfStream', ...streamZero, query: 'record=1', untilReady: true },
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
      return [10 * weight, request(name as Asked, origin)];
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
    const created = bodies.map((part): Move => ({ operation: 'createStream', ...part }));
    return [...begin, ...created, ...rest.toReversed()];
  });
  return fc.oneof(
    { weight: 100, arbitrary: usual },
    { weight: isLive, arbitrary: shorter(untilReady) },
  );
}
