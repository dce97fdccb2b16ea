import * as fc from 'fast-check';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { ladders } from '../../../interface/limit-ladders.ts';
import { bodyTypes } from '../../../interface/silent-http.ts';
import { bodies, magnitude, usualStream } from './fields.ts';
import { type Move, type OperationName, operations, type Place, type RequestMove } from './move.ts';

/** What the compared sides offer beside the interface. */
export interface Offers {
  /** Whether streams can go live; with `stop` they end when asked to. */
  readonly live: 'none' | 'broadcast' | 'stop';
  /** Whether there is a second API key. */
  readonly otherKey: boolean;
}

const usualPlace: Place = { of: 'stream', at: 0 };
const position = fc.nat({ max: 5 });
const unusualKinds = [
  ...['session', 'session', 'deleted', 'deleted'],
  ...['unknown', 'other-key', 'malformed'],
] as const satisfies readonly Place['of'][];

function places(usual: Place['of'], unusual: number): fc.Arbitrary<Place> {
  const kinds = fc.oneof(
    { weight: 100 - unusual, arbitrary: fc.constant(usual) },
    { weight: unusual, arbitrary: fc.constantFrom('stream', ...unusualKinds) },
  );
  return fc.record({ of: kinds, at: position });
}

/** Streams by their playback id, and sessions by their id. */
const playable = places('stream', 55).map(
  (place): Place => (place.of === 'session' ? place : { ...place, by: 'playbackId' }),
);

const limits = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '2', '3') },
  { weight: 4, arbitrary: fc.constantFrom(...ladders.limit.map(String)) },
  { weight: 2, arbitrary: fc.constantFrom('0', '-1', '1.5', 'many', '') },
  { weight: 1, arbitrary: magnitude(40).map(String) },
);

/** The parameters of each list, and one that no service knows. */
const queries = {
  limit: limits,
  cursor: fc.constantFrom('not-a-cursor', ''),
  record: fc.constantFrom('1', '0', 'true', 'false', 'maybe', ''),
  parentId: places('stream', 15),
  active: fc.constantFrom('true', 'true', 'true', 'false', 'maybe'),
  order: fc.constantFrom(
    ...['createdAt-false', 'createdAt-false', 'createdAt-true', 'record-true,createdAt-false'],
    'createdAt',
  ),
  filters: fc.constantFrom(
    ...['[{"id":"record","value":true}]', '[{"id":"record","value":false}]'],
    ...['[{"id":"id","value":"none"}]', '{}'],
  ),
  unknownParameter: fc.constantFrom('', '1', 'text'),
} as const;

type QueryName = keyof typeof queries;

/** How often lists are chosen from and ordered. */
const choosing = { active: 2, order: 2, filters: 2 } as const;

/** One parameter at most times; with two, one may hide the other. */
function query(
  odds: Readonly<Partial<Record<QueryName | 'none', number>>>,
): fc.Arbitrary<Partial<RequestMove>> {
  const options = Object.entries(odds).map(([name, weight]) => ({
    weight,
    arbitrary:
      name === 'none'
        ? fc.constant<RequestMove['query']>(undefined)
        : (queries[name as QueryName] as fc.Arbitrary<string | Place>).map(
            (value): RequestMove['query'] => ({ [name]: value }),
          ),
  }));
  const one = fc.oneof(...options);
  const two = fc.tuple(one, one).map(([first, second]) => ({ ...first, ...second }));
  return fc
    .oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: two })
    .map((found) => (found && Object.keys(found).length > 0 ? { query: found } : {}));
}

const nothing = fc.constant<Partial<RequestMove>>({});

/** What each operation needs in its request, and how often it comes. */
const requests: Readonly<
  Record<OperationName, { weight: number; needs: readonly fc.Arbitrary<Partial<RequestMove>>[] }>
> = {
  createStream: { weight: 41, needs: [bodies.createStream.map((body) => ({ body }))] },
  listStreams: {
    weight: 12,
    needs: [query({ none: 2, limit: 6, cursor: 3, unknownParameter: 3, ...choosing })],
  },
  retrieveStream: { weight: 9, needs: [places('stream', 60).map((id) => ({ id }))] },
  updateStream: {
    weight: 16,
    needs: [
      places('stream', 30).map((id) => ({ id })),
      bodies.updateStream.map((body) => ({ body })),
    ],
  },
  deleteStream: { weight: 6, needs: [places('stream', 75).map((id) => ({ id }))] },
  setRecord: {
    weight: 14,
    needs: [places('stream', 45).map((id) => ({ id })), bodies.setRecord.map((body) => ({ body }))],
  },
  listSessionsOfStream: {
    weight: 18,
    needs: [
      places('stream', 35).map((id) => ({ id })),
      query({ none: 4, record: 8, limit: 3, cursor: 2, unknownParameter: 2, ...choosing }),
    ],
  },
  listSessions: {
    weight: 13,
    needs: [
      query({
        ...{ none: 2, parentId: 4, record: 4, limit: 2, cursor: 1, unknownParameter: 3 },
        ...choosing,
      }),
    ],
  },
  retrieveSession: { weight: 8, needs: [places('session', 50).map((id) => ({ id }))] },
  terminateStream: { weight: 7, needs: [places('stream', 45).map((id) => ({ id }))] },
  retrievePlayback: { weight: 7, needs: [playable.map((id) => ({ id }))] },
  unknownRoute: {
    weight: 4,
    needs: [
      fc
        .constantFrom('GET', 'POST')
        .map((method) => (method === 'GET' ? {} : { method, body: {} })),
    ],
  },
};

const malformed = fc.constantFrom('{', '{"name":', 'name=a', '{"name":"a"}}', "{'name':'a'}");
const notObjects = fc.constantFrom('[]', '"text"', 'null', '1', 'true', '[{}]');
const sizes = fc.oneof(
  fc.constantFrom<number[]>(...ladders.body),
  fc.integer({ min: 13 * 64, max: 20 * 64 }).map((step) => Math.floor(2 ** (step / 64))),
);
const types = fc.constantFrom<(string | null)[]>(
  ...Object.values(bodyTypes).map((type) => type ?? null),
  ...['application/json; charset=utf-8', 'multipart/form-data; boundary=a', 'nonsense'],
);

/** What a request with a body may have instead of the right one. */
const oddBody: fc.Arbitrary<Partial<RequestMove>> = fc.oneof(
  { weight: 5, arbitrary: malformed.map((text) => ({ text })) },
  { weight: 4, arbitrary: notObjects.map((text) => ({ text })) },
  { weight: 4, arbitrary: fc.constant({ text: '' }) },
  { weight: 7, arbitrary: types.map((type) => ({ type })) },
  { weight: 5, arbitrary: sizes.map((size) => ({ size })) },
);

const oddCredential = fc
  .constantFrom('none', 'none', 'wrong', 'wrong', 'lower-case', 'other-scheme', 'bare')
  .map((credential): Partial<RequestMove> => ({ credential }) as Partial<RequestMove>);

const origin = fc.constant({ origin: 'https://app.example.test' });
const preflight = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
  headers: fc.constantFrom('authorization', 'authorization,content-type', 'x-other'),
});

/** The methods that no operation has at the path of this one. */
function otherMethods(name: OperationName): fc.Arbitrary<Partial<RequestMove>> {
  const offered = Object.values(operations)
    .filter(({ path }) => path === operations[name].path)
    .map(({ method }) => method);
  const others = ['PUT', 'POST', 'PATCH', 'DELETE', 'GET'].filter((one) => !offered.includes(one));
  return fc.constantFrom(...others).map((method) => ({ method }));
}

/** What may be added to any request. */
const oddities: readonly { weight: number; arbitrary: fc.Arbitrary<Partial<RequestMove>> }[] = [
  { weight: 62, arbitrary: nothing },
  { weight: 8, arbitrary: oddCredential },
  { weight: 5, arbitrary: origin },
  { weight: 3, arbitrary: fc.constant({ path: 'slash' }) },
  { weight: 3, arbitrary: fc.constant({ path: 'upper-case' }) },
  { weight: 3, arbitrary: fc.constant({ method: 'OPTIONS' }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(preflight, origin)
      .map(([asked, from]) => ({ method: 'OPTIONS', preflight: asked, ...from })),
  },
];
const readingOddities: typeof oddities = [
  { weight: 6, arbitrary: fc.constant({ method: 'HEAD' }) },
  { weight: 8, arbitrary: fc.constant({ cached: true }) },
];
const writingOddities: typeof oddities = [
  { weight: 20, arbitrary: oddBody },
  {
    weight: 10,
    arbitrary: fc.tuple(oddCredential, oddBody).map(([key, body]) => ({ ...key, ...body })),
  },
];

function request(operation: OperationName): fc.Arbitrary<Move> {
  const { needs } = requests[operation];
  const { method } = operations[operation];
  const further = method === 'GET' ? readingOddities : method === 'DELETE' ? [] : writingOddities;
  const otherMethod = { weight: 3, arbitrary: otherMethods(operation) };
  const unknownFurther = operation === 'unknownRoute' ? writingOddities : further;
  return fc
    .tuple(fc.tuple(...needs), fc.oneof(...oddities, otherMethod, ...unknownFurther))
    .map(([parts, odd]) => settle({ operation, ...Object.assign({}, ...parts), ...odd }));
}

/** A text takes the place of a body, and GET has none. */
function settle(move: RequestMove): RequestMove {
  const { body, text, size, type, ...rest } = move;
  const method = move.method ?? operations[move.operation].method;
  if (['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)) return rest;
  return {
    ...rest,
    ...(text === undefined ? body !== undefined && { body } : { text }),
    ...(type !== undefined && { type }),
    ...(size !== undefined && { size }),
  };
}

const anyRequest = fc.oneof(
  ...Object.entries(requests).map(([name, { weight }]) => ({
    weight,
    arbitrary: request(name as OperationName),
  })),
);

const seconds = fc.constantFrom(3.2, 6.4);
const starts = fc.record({ start: position, seconds });
const goesLive = fc.record({ start: position });
const stops = fc.record({ stop: position });
const waits = fc.record({ wait: fc.constantFrom(0, 0, 20, 100) });
const follows = fc.constant({ follow: true } as const);

const create: fc.Arbitrary<Move> = usualStream.map((body) => ({ operation: 'createStream', body }));
const streamZero: Pick<RequestMove, 'id'> = { id: usualPlace };

/** A stream with a recorded session and one that is not recorded. */
const twoKinds: readonly Move[] = [
  { operation: 'createStream', body: { name: 'recorded', record: true } },
  { start: 0, seconds: 3.2 },
  { operation: 'setRecord', ...streamZero, body: { record: false } },
  { start: 0, seconds: 6.4 },
];
const manySessions: readonly Move[] = [
  { operation: 'createStream', body: { name: 'often live', record: true } },
  ...Array.from({ length: 6 }, () => ({ start: 0, seconds: 3.2 })),
];
const deleted: readonly Move[] = [
  { operation: 'createStream', body: { name: 'deleted' } },
  { operation: 'deleteStream', ...streamZero },
];

const liveAndDeleted: readonly Move[] = [
  { operation: 'createStream', body: { name: 'live' } },
  { start: 0 },
  { operation: 'deleteStream', ...streamZero },
];

/** How a sequence begins: with new streams, of which some have sessions, and some are deleted. */
function beginnings({ live }: Offers): fc.Arbitrary<readonly Move[]> {
  const some = fc.array(create, { minLength: 1, maxLength: 2, size: 'max' });
  const many = fc.array(create, { minLength: 6, maxLength: 7, size: 'max' });
  const plain = fc.oneof({ weight: 7, arbitrary: some }, { weight: 1, arbitrary: many });
  const optional = (moves: readonly Move[], weight: number) =>
    fc.oneof(
      { weight, arbitrary: fc.constant(moves) },
      { weight: 10 - weight, arbitrary: fc.constant<readonly Move[]>([]) },
    );
  const parts =
    live === 'none'
      ? [optional(deleted, 5), plain]
      : [
          optional(deleted, 4),
          optional(live === 'stop' ? liveAndDeleted : [], 1),
          optional(twoKinds, 4),
          optional(manySessions, 1),
          plain,
        ];
  return fc.tuple(...parts).map((all) => all.flat());
}

/** A random sequence of moves that begins with new streams. */
function sequences(reach: Offers): fc.Arbitrary<readonly Move[]> {
  const beside =
    reach.live === 'none'
      ? []
      : [
          { weight: 6, arbitrary: starts },
          { weight: 1, arbitrary: waits },
          ...(reach.live === 'stop'
            ? [
                { weight: 6, arbitrary: goesLive },
                { weight: 4, arbitrary: stops },
              ]
            : []),
        ];
  const move = fc.oneof<fc.MaybeWeightedArbitrary<Move>[]>(
    { weight: 110, arbitrary: anyRequest },
    { weight: 4, arbitrary: follows },
    ...beside,
  );
  const some = fc.tuple(move, fc.nat({ max: 9 })).map(([one, chance]) => withLook(one, chance < 3));
  const rest = fc.array(some, { minLength: 8, maxLength: 20, size: 'max' });
  return fc.tuple(beginnings(reach), rest).map(([begin, moves]) => [...begin, ...moves.flat()]);
}

/** A request that may change something, and one that shows what became of it. */
function withLook(move: Move, looks: boolean): readonly Move[] {
  if (!looks || !('id' in move) || !changing.has(move.operation)) return [move];
  const isSession = move.id.of === 'session';
  return [move, { operation: isSession ? 'retrieveSession' : 'retrieveStream', id: move.id }];
}

const changing: ReadonlySet<OperationName> = new Set(['setRecord', 'updateStream']);

/** Waiting for recordings takes seconds on a real service, so only one in so many sequences does. */
const readyEvery = 100;
const untilReady: readonly Move[] = [
  {
    operation: 'createStream',
    body: {
      name: 'to be ready',
      record: true,
      profiles: recommendedProfiles.slice(0, 2).map((profile) => ({ ...profile })),
    },
  },
  { start: 0, seconds: 3.2 },
  { operation: 'listSessionsOfStream', ...streamZero, query: { record: '1' }, untilReady: true },
];

/** A function that makes the sequence of a seed and a number, always the same. */
export function createSequences(reach: Offers): (seed: number, number: number) => readonly Move[] {
  const arbitrary = sequences(reach);
  return (seed, number) => {
    if (reach.live !== 'none' && number % readyEvery === 3) return untilReady;
    const mixed = (Math.imul(seed, 0x9e3779b1) ^ number) | 0;
    const [moves = []] = fc.sample(arbitrary, { seed: mixed, numRuns: 1, ...unbiased });
    return moves;
  };
}

/** Small values are not more likely than others. */
const unbiased = { unbiased: true } as const;
