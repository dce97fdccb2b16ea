import { deletedAtOnce, deleteTargetStream } from '../../conformance/run/clean-up.ts';
import { inParallel } from '../../conformance/run/parallel.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { connect, type TargetConnection } from '../connection.ts';

/** A value for each of the two sides. */
export type Two<Value> = readonly [Value, Value];

/** What a sequence is sent to. A target is the same for each sequence: its streams are deleted. */
export type Service = Pick<TargetConnection, 'target' | 'creations' | 'provider' | 'createCaller'>;

/** Does the same for both sides at once. If one side fails, it rejects once both have ended. */
export async function both<Value, Result>(
  values: Two<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** Sequences for which one mock is used, as it keeps what they made. */
const maxSequences = 100;
const origin = 'http://mock.test';

/**
 * Mocks in this process. Each sequence has a world of its own; a mock serves many of them, as reading a
 * dialect takes longer than a sequence.
 */
export function createMocks(options: Pick<MockOptions, 'now' | 'dialect'>): () => Service {
  let mock: Mock | undefined;
  let sequences = 0;
  return () => {
    if (mock === undefined || sequences % maxSequences === 0) mock = createMock(options);
    sequences += 1;
    return connect({
      apiKey: `test-compared-${sequences}`,
      baseUrl: origin + mock.prefix,
      send: mock.fetch,
      provider: { controlUrl: `${origin}/_mock` },
    });
  };
}

/** Does some work, and then deletes the streams that it created, even if it fails. */
export async function thenCleanUp<Result>(
  services: readonly Service[],
  work: () => Promise<Result>,
): Promise<Result> {
  // What earlier work could not delete is tried again at the end of the run.
  const before = services.map(({ creations }) => creations.streams.length);
  try {
    return await work();
  } finally {
    await Promise.all(
      services.map(async ({ target, creations: { streams } }, index) => {
        const ids = [...new Set(streams.slice(before[index]))];
        const results = await inParallel(ids, deletedAtOnce, (id) =>
          deleteTargetStream(target, id),
        );
        // Until then they count as left behind, in case the run ends early.
        streams.splice(before[index] ?? 0);
        streams.push(...ids.filter((_, place) => results[place] === 'failed'));
      }),
    );
  }
}
