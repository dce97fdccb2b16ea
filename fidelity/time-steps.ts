/** A day in milliseconds. */
const longest = 86_400_000;

/** 100 milliseconds to a day. */
const steps: readonly number[] = [2, 3, 4, 5, 6, 7]
  .flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power))
  .filter((step) => step <= longest);

/** The next step of 1, 2 and 5, as a dialect writes a time: a service that takes 1,010 ms means a second. */
export function nextStep(milliseconds: number): number {
  return steps.find((step) => 1.2 * step >= milliseconds) ?? longest;
}
