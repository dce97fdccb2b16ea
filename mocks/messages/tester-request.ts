import { requestPath } from './request-path.ts';

/** The path of the control API, from the origin. */
export const controlPath = '/_mock';

/**
 * Whether a request is for the control API. Its path is read as by the router, and spellings that a proxy could turn
 * into such a path count as well.
 */
export function isControlRequest(request: Pick<Request, 'url'>): boolean {
  return isControlPath(requestPath(request));
}

/** Whether a path, as `requestPath` reads it, is one of the control API. */
export function isControlPath(path: string): boolean {
  return controlPathPattern.test(path);
}

const controlPathPattern = new RegExp(`^/+${controlPath.slice(1)}(/|%2f|$)`, 'i');

/**
 * Marks a request as a tester's. It is in no journal and matches no fault, because looking at a world must not
 * change what it shows.
 */
export const testerHeader = 'x-livestream-mock-tester';

/** Whether a request comes from a tester, not from the app under test. */
export function isFromTester({ headers }: Request): boolean {
  return headers.has(testerHeader);
}
