import type { Provider } from '../../../conformance/providers/provider.ts';
import type { Target } from '../../../conformance/target/target.ts';

/** What a sequence is sent to. */
export interface Service {
  readonly target: Target;
  readonly provider: Provider;
  /** A second API key, of another account. */
  readonly otherKey: string | undefined;
  /** What is deleted after the sequence; absent where the service ends with the sequence. */
  readonly streams?: string[];
  /** Requests under way that may create a stream. */
  readonly underWay?: Set<Promise<unknown>>;
}

/** A value for each of the two sides. */
export type Two<Value> = readonly [Value, Value];

/** The same for both sides, at once. */
export async function both<Value, Result>(
  values: Two<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const [first, second] = values;
  return Promise.all([work(first, 0), work(second, 1)]);
}
