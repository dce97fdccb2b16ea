import type { Provider } from '../../../conformance/providers/provider.ts';
import type { Creations } from '../../../conformance/target/creations.ts';
import type { Target } from '../../../conformance/target/target.ts';
import type { RefusalTexts } from '../equal/refusal-forms.ts';

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
