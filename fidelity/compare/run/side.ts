import type { Provider } from '../../../conformance/providers/provider.ts';
import { type Creations, startCreations } from '../../../conformance/target/creations.ts';
import type { Target } from '../../../conformance/target/target.ts';
import { createMock, type Mock } from '../../../mocks/mock.ts';
import type { MockOptions } from '../../../mocks/mock-options.ts';
import { type Connection, type ConnectionOptions, connect } from '../../target/connection.ts';
import { createRefusalTexts, type RefusalTexts } from '../equal/refusal-forms.ts';

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
export interface Side extends Service, Connection {
  readonly name: string;
}

/** A value for each of the two sides. */
export type Two<Value> = readonly [Value, Value];

/** The same for both sides, at once; what fails on one side ends when both have. */
export async function both<Value, Result>(
  values: Two<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const [first, second] = values;
  const work0 = work(first, 0);
  const work1 = work(second, 1);
  await Promise.allSettled([work0, work1]);
  return Promise.all([work0, work1]);
}

/** Connects to a target. @throws TypeError for invalid options */
export function createSide(
  name: string,
  options: ConnectionOptions & { otherApiKey?: string },
): Side {
  const { otherApiKey, ...rest } = options;
  const connection = connect(rest);
  const other =
    otherApiKey === undefined
      ? undefined
      : connect({ ...rest, apiKey: otherApiKey }, undefined, connection.target.gate);
  return {
    ...connection,
    name,
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
