import type { Provider } from '../../conformance/providers/provider.ts';
import { deleteStream } from '../../conformance/run/clean-up.ts';
import { inParallel } from '../../conformance/run/parallel.ts';
import { type Creations, startCreations } from '../../conformance/target/creations.ts';
import type { Target } from '../../conformance/target/target.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { type Connection, type ConnectionOptions, connect } from '../target/connection.ts';
import type { Two } from './records.ts';
import { createRefusalTexts, type RefusalTexts } from './responses.ts';

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
  readonly refusals: RefusalTexts;
}

/** A target that is compared. It is the same for each sequence: its streams are deleted. */
export interface Side extends Service, Connection {}

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
    refusals: createRefusalTexts(),
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
  const refusals = createRefusalTexts();
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
    return { target, creations, provider, refusals, other: owner };
  };
}

const deletedAtOnce = 8;

/**
 * Called before a sequence. What it returns ends what the sequence left live, and deletes the streams that
 * were created since.
 */
export function prepareCleaning(
  services: readonly Service[],
): (made: readonly { readonly stop?: Two<() => Promise<void>> }[]) => Promise<void> {
  const accounts = services.flatMap(({ other, ...service }) => [
    service,
    ...(other ? [other] : []),
  ]);
  // What an earlier sequence could not delete is left for the end.
  const before = accounts.map(({ creations }) => creations.streams.length);
  return async (made) => {
    for (const { stop } of made) {
      if (stop !== undefined) await both(stop, (end) => end().catch(() => {}));
    }
    await Promise.all(
      accounts.map(async ({ target, creations: { streams } }, index) => {
        const ids = [...new Set(streams.slice(before[index]))];
        const results = await inParallel(ids, deletedAtOnce, (id) => deleteStream(target, id));
        // Until then they count as left, in case that everything is to end.
        streams.splice(before[index] ?? 0);
        streams.push(...ids.filter((_, place) => results[place] === 'failed'));
      }),
    );
  };
}
