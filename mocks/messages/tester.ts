/**
 * Marks a request as a tester's: it is in no journal and matches no fault, so that looking at a world
 * does not change what it shows.
 */
export const testerHeader = 'x-livestream-mock-tester';

/** Whether a request comes from a tester and not from the tested app. */
export function isFromTester({ headers }: Request): boolean {
  return headers.has(testerHeader);
}
