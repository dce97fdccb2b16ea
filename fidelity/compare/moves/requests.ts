import * as fc from 'fast-check';
import { ladders } from '../../../interface/limit-ladders.ts';
import { bodies } from './fields.ts';
import { type Move, type OperationName, operations, type Place, type RequestMove } from './move.ts';
import { magnitude } from './odd-values.ts';
import { oddOf } from './oddities.ts';

/** Which of several records a request names. */
export const position: fc.Arbitrary<number> = fc.nat({ max: 5 });
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

/** What each operation needs in its request, and how often it comes. */
const requests: Readonly<
  Record<OperationName, { weight: number; needs: readonly fc.Arbitrary<Partial<RequestMove>>[] }>
> = {
  createStream: { weight: 26, needs: [bodies.createStream.map((body) => ({ body }))] },
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

function request(operation: OperationName): fc.Arbitrary<Move> {
  return fc
    .tuple(fc.tuple(...requests[operation].needs), oddOf(operation))
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

/** A request of any operation, which may have things in it that are not usual. */
export const anyRequest: fc.Arbitrary<Move> = fc.oneof(
  ...Object.entries(requests).map(([name, { weight }]) => ({
    weight,
    arbitrary: request(name as OperationName),
  })),
);
