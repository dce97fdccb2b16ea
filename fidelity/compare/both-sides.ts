import type { TargetConnection } from '../target-connection.ts';

/** A value for each of the two sides. */
export type BothSides<Value> = readonly [Value, Value];

/** What a sequence is sent to. A target is the same for each sequence: its streams are deleted. */
export type ComparedService = Pick<
  TargetConnection,
  'target' | 'creations' | 'provider' | 'createCaller'
>;

/** Does the same for both sides at once. If one side fails, it rejects once both have ended. */
export async function onBothSides<Value, Result>(
  values: BothSides<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<BothSides<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}
