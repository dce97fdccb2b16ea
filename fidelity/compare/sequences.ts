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
import type { Json } from '../../interface/json.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { routeOf } from '../calls.ts';
import { type Mistake, type Move, methodOf, type RecordPlace, type RequestMove } from './moves.ts';

/** What the compared sides offer beside the interface. */
export interface Offers {
  /** Whether streams can go live; with `stop` they end when asked to. */
  readonly live: 'none' | 'broadcast' | 'stop';
  /** What the requests of a page have as their `Origin`. */
  readonly origin: string;
}

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
const oddValues: readonly Json[] = [
  ...[null, true, 0, 1, -1, -30, 0.5, 29.97, '', 'text', '1', 'true'],
  ...[[], ['text'], [null], {}, { a: 1 }, 'renamed', '1080p', ' two  words ', 'Hafen – Süd'],
  ...['港 Cafe\u0301 \ufb01', '🚢', 'a\u0000b', '<b>&amp;</b>'],
];
const oddFields: readonly string[] = ['text', 'rendition', 'whole', 'boolean', 'profiles'];

/** Fields with odd values, by the name of the error that is, if it is one. */
function oddWrongs(operation: Asked): Mistake[][] {
  if (!isBodyOperation(operation)) return [];
  const fields = fieldsOf[operation].filter(({ type }) => oddFields.includes(type));
  return fields.map((field) =>
    oddValues.map((value) => {
      const [{ kind } = { kind: 'given' as const }] = wrongsOf(field, value);
      return { error: fieldError(field.path, kind), mutation: { field: field.path, value } };
    }),
  );
}

/** How often an error of each class is made. What is live, or not, depends on the moves before. */
const wrongWeights: Readonly<Record<Exclude<ErrorClass, 'state'>, number>> = {
  key: 6,
  'no-key': 2,
  body: 18,
  fields: 130,
  id: 2,
  query: 130,
  route: 6,
};
/** How often nothing is wrong. */
const nothingWrong = 60;

/** At most two things that are wrong with a request: one at most times, as one may hide the other. */
function wrongs(operation: Asked): fc.Arbitrary<readonly Mistake[]> {
  const ofClass = (name: string): fc.Arbitrary<Mistake>[] => {
    const listed = errorsOf[operation].filter((error) => error.class === name);
    const all = listed.map(({ id, wrong }) =>
      wrong.map((mutation): Mistake => ({ error: id, mutation })),
    );
    return [...all, ...(name === 'fields' ? oddWrongs(operation) : [])]
      .map((ways) => ways.filter((one) => maySend(operation, one)))
      .filter((ways) => ways.length > 0)
      .map((ways) => fc.constantFrom(...ways));
  };
  const classes = Object.entries(wrongWeights)
    .map(([name, weight]) => ({ weight, mistakes: ofClass(name) }))
    .filter(({ mistakes }) => mistakes.length > 0)
    .map(({ weight, mistakes }): Weighted<Mistake[]> => {
      return [weight, fc.oneof(...mistakes).map((mistake) => [mistake])];
    });
  const first = oneOf<Mistake[]>([nothingWrong, fc.constant([])], ...classes);
  const second = oneOf<Mistake[]>([8 * nothingWrong, fc.constant([])], ...classes);
  return fc.tuple(first, second).map((both) => both.flat());
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

/** What may be unusual about a request without being wrong: nothing at most times. */
function unusual(operation: Asked, origin: string): fc.Arbitrary<Part> {
  const reads = routeOf(operation).method === 'GET' ? 1 : 0;
  return oneOf<Part>(
    [80, fc.constant({})],
    [5, fc.constant({ origin })],
    [4, fc.constant({ method: 'OPTIONS' })],
    [4, preflight.map((asked) => ({ method: 'OPTIONS', preflight: asked, origin }))],
    [14 * reads, fc.constantFrom<Part[]>({ method: 'HEAD' }, { cached: true })],
  );
}

/**
 * A request of an operation. Some methods have no body, and so nothing that is wrong with it. What writes
 * has no query, from which a careless service might take an id of what the run did not create.
 */
function request(operation: Asked, origin: string): fc.Arbitrary<Move> {
  const [, ...usual] = requests[operation];
  const wrong = wrongs(operation).map((all): Part => ({ wrong: all }));
  return fc.tuple(...usual, wrong, unusual(operation, origin)).map((parts) => {
    const move: RequestMove = Object.assign({ operation }, ...parts);
    const { body: given, query, id, wrong: mistakes = [], ...rest } = move;
    const method = methodOf(move);
    const reads = isReading(method);
    const hasBody = !reads && method !== 'DELETE';
    const possible = mistakes.filter(({ error }) => {
      if (error.startsWith('query:')) return reads;
      return hasBody || !/^(field|body):/.test(error);
    });
    // Of a field or a parameter one value is sent.
    const bySubject = new Map(possible.map((one) => [one.error.replace(/:[^:]*$/, ''), one]));
    const sent = [...bySubject.values()];
    const isNamed = JSON.stringify([routeOf(operation).path, sent]).includes('{id}');
    return {
      ...rest,
      wrong: sent,
      ...(id && isNamed && { id }),
      ...(hasBody && given && { body: given }),
      ...(reads && query && { query }),
    };
  });
}

const nextPages = (['listStreams', 'listSessions', 'listSessionsOfStream'] as const).map(
  (operation): Move => ({ operation, follow: true }),
);
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

/** How a sequence may begin, and how often: with what chance alone would meet too seldom. */
const beginnings: readonly (readonly [weight: number, readonly Move[]])[] = [
  [4, []],
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
  const seconds = fc.constantFrom(3.2, 6.4);
  const move = oneOf<Move>(
    ...Object.entries(requests).map(([name, [weight]]): Weighted<Move> => {
      return [10 * weight, request(name as Asked, origin)];
    }),
    [50, fc.constantFrom<Move[]>(...nextPages)],
    [80, fc.record({ start: position, seconds })],
    [80, fc.record({ start: position })],
    [50, fc.record({ stop: position })],
  );
  const begins = beginnings.map(([weight, moves]) => [weight, shorter(moves)] as const);
  const streams = fc.tuple(mostly(newStream), upTo(1, newStream)).map((all) => all.flat());
  // fast-check leaves out the first first, and the last move is the one that shows a difference.
  const usual = fc.tuple(upTo(30, move), streams, oneOf(...begins)).map(([rest, bodies, begin]) => {
    const created = bodies.map((part): Move => ({ operation: 'createStream', ...part }));
    return [...begin, ...created, ...rest.toReversed()];
  });
  const isOffered = (one: Move): boolean =>
    'operation' in one || offered === 'stop' || (offered === 'broadcast' && 'seconds' in one);
  return oneOf([100, usual], [1, shorter(untilReady)]).map((moves) => moves.filter(isOffered));
}
