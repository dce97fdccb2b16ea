/** A time as a dialect writes it, in milliseconds. */
interface Step {
  readonly value: number;
  /** The shortest time that is written so. */
  readonly from: number;
  /** The shortest that is written as the next step. */
  readonly below: number;
}

/** A day. */
const longest = 86_400_000;

/** At once, and 1, 2 and 5 times a power of ten up to a day. */
const values = [
  ...[0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
  ...[1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, longest],
];

/**
 * A service that takes 1,010 ms means a second, and one that takes 20 ms means at once. With a factor much
 * smaller than 1.4, `compare` would tell a service that takes 2,500 ms from a mock with what was learned.
 */
function endOf(value: number): number {
  return value === 0 ? 50 : 1.4 * value;
}

const steps: readonly Step[] = values.map((value, index) => ({
  value,
  from: endOf(values[index - 1] ?? Number.NEGATIVE_INFINITY),
  below: value === longest ? Number.POSITIVE_INFINITY : endOf(value),
}));

/** The step of 1, 2 and 5 to which a time belongs. */
export function stepOf(milliseconds: number): Step {
  return steps.find(({ below }) => milliseconds < below) as Step;
}
