import { ladders } from '../../../interface/limit-ladders.ts';
import type { Json } from '../../../interface/silent-row.ts';
import { edgeStreams } from './edge-streams.ts';
import { furtherFields } from './edits.ts';
import type { Move, RequestMove } from './move.ts';

const aStream = { id: { of: 'stream', at: 0 } } as const satisfies Pick<RequestMove, 'id'>;
const twoPages: readonly Move[] = [{ follow: true }, { follow: true }];

/** A stream with a recorded session and one that is not recorded. */
export const twoKinds: readonly Move[] = [
  { operation: 'createStream', body: { name: 'recorded', record: true } },
  { start: 0, seconds: 3.2 },
  { operation: 'setRecord', ...aStream, body: { record: false } },
  { start: 0, seconds: 6.4 },
];

/** Values of parameters that each list may take, refuse or ignore. */
const listParameters: readonly NonNullable<RequestMove['query']>[] = [
  ...ladders.limit.slice(1).map((limit) => ({ limit: String(limit) })),
  ...['0', 'many'].map((limit) => ({ limit })),
  { cursor: 'not-a-cursor' },
  { active: 'true' },
  { order: 'createdAt-false' },
  { filters: '[{"id":"record","value":true}]' },
  { unknownParameter: 'text' },
];

/** Bodies with one value that is at an edge, of each operation that changes a stream. */
const edgeBodies: Readonly<Record<'updateStream' | 'setRecord', readonly Json[]>> = {
  updateStream: [
    ...[{ name: null }, { name: '' }, { name: 1 }, { name: 'n'.repeat(1_000) }, {}],
    ...[{ record: true }, { profiles: [] }, { unknownField: 'text' }],
    ...Object.entries(furtherFields).map(([field, value]) => ({ [field]: value })),
  ],
  setRecord: [{ record: null }, { record: 'true' }, {}, { record: true, unknownField: 'text' }],
};

/**
 * Moves that chance alone would meet too seldom: creations and changes at each edge of a value and
 * with two errors whose order shows, and lists with each parameter and by small pages to their end.
 */
const edges: readonly (readonly Move[])[] = [
  ...edgeStreams.map((body) => [{ operation: 'createStream', body } as const]),
  ...Object.entries(edgeBodies).flatMap(([operation, bodies]) =>
    bodies.map((body) => [{ operation: operation as keyof typeof edgeBodies, ...aStream, body }]),
  ),
  [{ operation: 'unknownRoute', method: 'OPTIONS' }],
  ...['', '{', '[]'].flatMap((text): Move[][] => [
    [{ operation: 'createStream', text }],
    [{ operation: 'updateStream', ...aStream, text }],
    [{ operation: 'setRecord', ...aStream, text }],
  ]),
  ...(['none', 'wrong'] as const).flatMap((credential): Move[][] => [
    [{ operation: 'createStream', credential, text: '{' }],
    [{ operation: 'createStream', credential, body: { name: 1 } }],
  ]),
  ...(['empty', 'bare', 'other-scheme'] as const).flatMap((credential): Move[][] => [
    [{ operation: 'createStream', credential, body: { name: 'a' } }],
    [{ operation: 'setRecord', credential, ...aStream, body: { record: true } }],
    [{ operation: 'listSessionsOfStream', credential, ...aStream }],
  ]),
  ...(['listStreams', 'listSessionsOfStream', 'listSessions'] as const).flatMap((operation) => {
    const place = operation === 'listSessionsOfStream' ? aStream : {};
    return [
      ...listParameters.map((query) => [{ operation, ...place, query }]),
      ...['1', '2'].map((limit) => [{ operation, ...place, query: { limit } }, ...twoPages]),
      ...(['none', 'wrong'] as const).map((credential) => [
        { operation, ...place, credential, query: { limit: '0' } },
      ]),
    ];
  }),
];

/** Lists of a stream that has sessions of both kinds, with each value of record. */
const edgesOfSessions: readonly (readonly Move[])[] = [
  ...['0', '1', 'true', 'maybe'].map((record) => [
    ...twoKinds,
    { operation: 'listSessionsOfStream', ...aStream, query: { record } } as const,
  ]),
  [...twoKinds, { operation: 'listSessionsOfStream', ...aStream }],
  [...twoKinds, { operation: 'listSessions', query: { record: '1' } }],
];

/** Of these, so many stand at the end of each sequence. */
const edgesAtOnce = 4;

/** What stands at the end of a sequence; with the turn, each of the edges comes. */
export function edgeMoves(turn: number, withSessions: boolean): readonly Move[] {
  const all = withSessions ? [...edges, ...edgesOfSessions] : edges;
  return Array.from(
    { length: edgesAtOnce },
    (_, index) => all[(turn * edgesAtOnce + index) % all.length] ?? [],
  ).flat();
}
