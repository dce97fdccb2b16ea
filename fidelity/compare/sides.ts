import { deletedAtOnce, deleteTargetStream } from '../../conformance/run/clean-up.ts';
import { inParallel } from '../../conformance/target/pacing.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { connect, type TargetConnection } from '../connection.ts';
import type { Two } from './records.ts';

/** What a sequence is sent to. A target is the same for each sequence: its streams are deleted. */
export type Service = Pick<TargetConnection, 'target' | 'creations' | 'provider'>;

/** The same for both sides, at once; what fails on one side ends when both have. */
export async function both<Value, Result>(
  values: Two<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** Sequences that one mock is used for: what they made stays in it. */
const maxSequences = 100;
const origin = 'http://mock.test';

/**
 * Mocks in this process. A sequence has a world of its own in a mock, as reading a dialect takes longer
 * than the requests of a sequence.
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

/** Does some work, and in the end deletes the streams that it created on some services, whatever happened. */
export async function thenCleanUp<Result>(
  services: readonly Service[],
  work: () => Promise<Result>,
): Promise<Result> {
  // What earlier work could not delete is left for the end.
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
        // Until then they count as left, in case that everything is to end.
        streams.splice(before[index] ?? 0);
        streams.push(...ids.filter((_, place) => results[place] === 'failed'));
      }),
    );
  }
}
