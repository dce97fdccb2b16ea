import { isIP } from 'node:net';
import type { Responder } from '../../http/app.ts';
import { openPaths } from '../../http/control/operations.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import { requestPath } from '../../messages/request-path.ts';
import { openToPages, problemResponse, toResponse } from '../../messages/response.ts';
import { controlPath, isControlPath } from '../../messages/tester-request.ts';

/** Who may use the control API of a server. */
export interface ControlAccess {
  /** The host that the server listens on, as URLs show it. */
  readonly host: string;
  /** Origins whose pages may use it, besides the server's own, or other names of the server's own. */
  readonly controlOrigins: readonly string[];
  /** The origin at which clients reach the server, if that is not the one of their requests. */
  readonly mediaOrigin: string | undefined;
}

/**
 * Refuses requests of pages of other origins to the control API, with 403, except for what needs no key. Such a page can
 * reach a server on loopback. It sends its origin, unless its own host name was made to resolve to the server (DNS rebinding:
 * https://en.wikipedia.org/wiki/DNS_rebinding).
 */
export function withControlGuard(respond: Responder, access: ControlAccess): Responder {
  return (request) => {
    // The mock refuses an address that is not a URL.
    const isGuarded = isGuardedPath(requestPath(request)) && URL.canParse(request.url);
    const problem = isGuarded ? findProblem(request, access) : undefined;
    return problem === undefined
      ? respond(request)
      : toResponse(openToPages(problemResponse(problem)));
  };
}

/** Whether a path is one of the control API that needs a key. */
function isGuardedPath(path: string): boolean {
  return isControlPath(path) && !openPaths.has(path.slice(controlPath.length));
}

function findProblem(request: Request, access: ControlAccess): Problem | undefined {
  const { host, mediaOrigin } = access;
  const ownOrigins = mediaOrigin === undefined ? [] : [mediaOrigin];
  const allowedOrigins = [...access.controlOrigins, ...ownOrigins];
  const { hostname, host: requestedHost, origin } = new URL(request.url);
  const isAllowed = allowedOrigins.some((allowed) => new URL(allowed).host === requestedHost);
  if (!isLocalName(hostname) && hostname !== host && !isAllowed) {
    const expected = `localhost or an IP address${isLocalName(host) ? '' : ` or ${host}`} for the control API`;
    const advice = `serve --control-origin ${origin} allows it`;
    const issue = { path: 'header host', expected, got: describeValue(requestedHost), advice };
    return new Problem('forbidden', issue);
  }
  const sender = request.headers.get('origin');
  if (sender === null || sender === origin || allowedOrigins.includes(sender)) return undefined;
  const expected = `${origin} for the control API`;
  const advice = 'serve --control-origin allows pages of another origin';
  const issue = { path: 'header origin', expected, got: describeValue(sender), advice };
  return new Problem('forbidden', issue);
}

/** Whether a host is an IP address or a name that no foreign name server can resolve. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
