import type { Provider } from '../../conformance/providers/provider.ts';
import { deletedAtOnce, deleteTargetStream } from '../../conformance/run/clean-up.ts';
import { inParallel } from '../../conformance/run/parallel.ts';
import { type Creations, startCreations } from '../../conformance/target/creations.ts';
import type { Target } from '../../conformance/target/target.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { type ConnectionOptions, connect, type TargetConnection } from '../connection.ts';
import type { Two } from './records.ts';

/** A service as one API key sees it. */
interface Account {
  readonly target: Target;
  readonly creations: Creations;
}

/** What a sequence is sent to. */
export interface Service extends Account {
  readonly provider: Provider;
  /** What another API key sees. */
  readonly other: Account | undefined;
}

/** A target that is compared. It is the same for each sequence: its streams are deleted. */
export interface Side extends Service, TargetConnection {}

/** The same for both sides, at once; what fails on one side ends when both have. */
export async function both<Value, Result>(
  values: Two<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** Connects to a target. @throws TypeError for invalid options */
export function createSide({
  otherApiKey,
  ...options
}: ConnectionOptions & { otherApiKey?: string }): Side {
  const connection = connect(options);
  const other =
    otherApiKey === undefined
      ? undefined
      : connect({ ...options, apiKey: otherApiKey }, undefined, connection.target.gate);
  return {
    ...connection,
    other,
    async cleanUp() {
      return [...(await connection.cleanUp()), ...((await other?.cleanUp()) ?? [])];
    },
  };
}

/** Sequences that one mock is used for: what they made stays in it. */
const mostSequences = 100;
const origin = 'http://mock.test';

/**
 * Mocks in this process. A sequence has a world of its own in a mock, as reading a dialect takes longer
 * than the requests of a sequence.
 */
export function createMocks(options: Pick<MockOptions, 'now' | 'dialect'>): () => Service {
  let mock: Mock | undefined;
  let sequences = 0;
  return () => {
    if (mock === undefined || sequences % mostSequences === 0) mock = createMock(options);
    sequences += 1;
    const apiKey = `test-compared-${sequences}`;
    const { target, creations, provider } = connect({
      apiKey,
      baseUrl: origin + mock.prefix,
      send: mock.fetch,
      provider: { controlUrl: `${origin}/_mock` },
    });
    const owner = { target: { ...target, apiKey: `${apiKey}-other` }, creations: startCreations() };
    return { target, creations, provider, other: owner };
  };
}

/** Does some work, and in the end deletes the streams that it created on some services, whatever happened. */
export async function thenCleanUp<Result>(
  services: readonly Service[],
  work: () => Promise<Result>,
): Promise<Result> {
  const accounts = services.flatMap(({ other, ...service }) =>
    other ? [service, other] : service,
  );
  // What earlier work could not delete is left for the end.
  const before = accounts.map(({ creations }) => creations.streams.length);
  try {
    return await work();
  } finally {
    await Promise.all(
      accounts.map(({ target, creations: { streams } }, index) =>
        deleteSince(target, streams, before[index] ?? 0),
      ),
    );
  }
}

/** Deletes the streams after the first few of a list; those that cannot be deleted stay in it. */
async function deleteSince(target: Target, streams: string[], first: number): Promise<void> {
  const ids = [...new Set(streams.slice(first))];
  const results = await inParallel(ids, deletedAtOnce, (id) => deleteTargetStream(target, id));
  // Until then they count as left, in case that everything is to end.
  streams.splice(first);
  streams.push(...ids.filter((_, place) => results[place] === 'failed'));
}
