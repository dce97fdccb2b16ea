import type { Comparison } from '../compare/model/comparison.ts';

/** What a comparison of so many operations found, or could not do: nothing where it is as it should be. */
export function describeUnexpected(comparison: Comparison, operations: number): string[] {
  const { differences, unknown, unconfirmed, coverage } = comparison;
  const { unreachable, withoutSessions, gaveUp } = comparison;
  const isShort = coverage.operations < operations && differences.length === 0;
  return [
    ...differences.map(({ signature }) => signature),
    ...(unknown === 0 ? [] : [`${unknown} sequences without a response`]),
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} not confirmed`]),
    ...[unreachable, withoutSessions].flatMap((reason) => reason ?? []),
    ...(gaveUp ? ['compare gave up'] : []),
    ...(isShort ? [`only ${coverage.operations} of ${operations} operations`] : []),
  ];
}

/** As {@link describeUnexpected}, for mocks in this process, of which nothing depends on chance. */
export function describeUnexpectedOfMocks(comparison: Comparison, operations: number): string[] {
  const { unsteady } = comparison;
  return [
    ...describeUnexpected(comparison, operations),
    ...(unsteady === 0 ? [] : [`${unsteady} unsteady`]),
  ];
}
