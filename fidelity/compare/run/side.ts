import type { Provider } from '../../../conformance/providers/provider.ts';
import type { Creations } from '../../../conformance/target/creations.ts';
import type { Target } from '../../../conformance/target/target.ts';
import type { Behaviours } from '../../../interface/silent.ts';

/** What a sequence is sent to. */
export interface Service {
  readonly target: Target;
  readonly provider: Provider;
  /** A second API key, of another account. */
  readonly otherKey: string | undefined;
}

/** One of the two that are compared. */
export interface Side {
  readonly name: string;
  /** What the next sequence is sent to: a mock in this process is a new one each time. */
  open(): Service;
  /** What remains to be deleted; `undefined` where each sequence has a service of its own. */
  readonly creations: Creations | undefined;
  /** How it behaves, where that is known. */
  readonly behaviours?: Behaviours;
}

/** A value for each of the two sides. */
export type Two<Value> = readonly [Value, Value];

/** The same for both sides, at once. */
export async function both<Value, Result>(
  values: Two<Value>,
  act: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<Two<Result>> {
  const [first, second] = values;
  return Promise.all([act(first, 0), act(second, 1)]);
}
