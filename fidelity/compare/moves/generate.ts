import * as fc from 'fast-check';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { edgeMoves, twoKinds } from './edge-moves.ts';
import { usualStream } from './fields.ts';
import type { Move, OperationName, RequestMove } from './move.ts';
import { anyRequest, position } from './requests.ts';

/** What the compared sides offer beside the interface. */
export interface Offers {
  /** Whether streams can go live; with `stop` they end when asked to. */
  readonly live: 'none' | 'broadcast' | 'stop';
  /** What the requests of a page have as their `Origin`. */
  readonly origin: string;
  /** Whether there is a second API key. */
  readonly otherKey: boolean;
}

const seconds = fc.constantFrom(3.2, 6.4);
const starts = fc.record({ start: position, seconds });
const goesLive = fc.record({ start: position });
const stops = fc.record({ stop: position });
const waits = fc.record({ wait: fc.constantFrom(0, 0, 20, 100) });
const follows = fc.constant({ follow: true } as const);

const create: fc.Arbitrary<Move> = usualStream.map((body) => ({ operation: 'createStream', body }));
const streamZero: Pick<RequestMove, 'id'> = { id: { of: 'stream', at: 0 } };

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

const liveAndSwitched: readonly Move[] = [
  { operation: 'createStream', body: { name: 'live' } },
  { start: 0 },
  { operation: 'setRecord', ...streamZero, body: { record: true } },
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
          optional(live === 'stop' ? liveAndSwitched : [], 1),
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
  const some = fc.tuple(move, fc.nat({ max: 9 })).map(([one, chance]) => withLook(one, chance));
  const rest = fc.array(some, { minLength: 8, maxLength: 20, size: 'max' });
  return fc.tuple(beginnings(reach), rest).map(([begin, moves]) => [...begin, ...moves.flat()]);
}

/** A request that may change something and, at some times, one that shows what became of it. */
function withLook(move: Move, chance: number): readonly Move[] {
  if (!('id' in move) || !changing.has(move.operation)) return [move];
  const isSession = move.id.of === 'session';
  if (chance < 3) {
    return [move, { operation: isSession ? 'retrieveSession' : 'retrieveStream', id: move.id }];
  }
  // A request that names a session may change its stream.
  return isSession && chance < 6 ? [move, { operation: 'listStreams' }] : [move];
}

const changing: ReadonlySet<OperationName> = new Set(['setRecord', 'updateStream']);

/** Waiting for recordings takes seconds on a real service, so only one in so many sequences does. */
const readyEvery = 100;
const untilReady = (sessions: 1 | 2): readonly Move[] => [
  {
    operation: 'createStream',
    body: {
      name: 'to be ready',
      record: true,
      profiles: recommendedProfiles.slice(0, 2).map((profile) => ({ ...profile })),
    },
  },
  ...Array.from({ length: sessions }, () => ({ start: 0, seconds: 3.2 })),
  { operation: 'listSessionsOfStream', ...streamZero, query: { record: '1' }, untilReady: true },
  { operation: 'retrievePlayback', id: { of: 'session', at: 0 } },
];

/** A function that makes the sequence of a seed and a number: always equal moves, and each an object of its own. */
export function createSequences(reach: Offers): (seed: number, number: number) => readonly Move[] {
  const arbitrary = sequences(reach);
  return (seed, number) => {
    if (reach.live !== 'none' && number % readyEvery === 3) {
      return untilReady(number % (2 * readyEvery) === 3 ? 1 : 2);
    }
    const mixed = (Math.imul(seed, 0x9e3779b1) ^ number) | 0;
    const [moves = []] = fc.sample(arbitrary, { seed: mixed, numRuns: 1, ...unbiased });
    // A step is found by its move, so equal moves must not be the same object.
    return [...moves, ...edgeMoves(number, reach.live !== 'none')].map((move) => ({
      ...move,
      ...('origin' in move && { origin: reach.origin }),
    }));
  };
}

/** Small values are not more likely than others. */
const unbiased = { unbiased: true } as const;
