/**
 * Marks a request as a tester's: it is not written down and meets no fault, so that looking at a
 * world does not change what is seen of it.
 */
export const testerHeader = 'x-livestream-mock-tester';

/** Tells whether a tester has sent a request, not an app. */
export function isTesters({ headers }: Request): boolean {
  return headers.has(testerHeader);
}
