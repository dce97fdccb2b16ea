import { isIP } from 'node:net';
import { getPath } from 'hono/utils/url';
import { controlPath } from '../../http/routes.ts';
import { describeValue, Problem } from '../../problems/problem.ts';

/** Who may use the control API of a server. */
export interface ControlAccess {
  /** The host that the server listens on, as addresses show it. */
  readonly host: string;
  /** Origins whose pages may use it, beside the server's own; or the server's, by another name. */
  readonly controlOrigins: readonly string[];
}

/**
 * Refuses what a page of another origin sends to the control API. Such a page can reach a server on
 * loopback; it says its origin, unless it has got its own host name to lead here (DNS rebinding).
 * @throws Problem 403 for an origin or a host that is not the server's.
 */
export function guardControl(request: Request, { host, controlOrigins }: ControlAccess): void {
  if (!namesControl(request)) return;
  const { hostname, host: asked, origin } = new URL(request.url);
  if (!isLocalName(hostname) && hostname !== host && !controlOrigins.some(isAt(asked))) {
    throw new Problem('forbidden', {
      path: 'header host',
      expected: `localhost or an IP address${isLocalName(host) ? '' : ` or ${host}`} for the control API`,
      got: describeValue(asked),
      advice: `serve --control-origin ${origin} lets it in`,
    });
  }
  const sender = request.headers.get('origin');
  if (sender !== null && sender !== origin && !controlOrigins.includes(sender)) {
    throw new Problem('forbidden', {
      path: 'header origin',
      expected: `${origin} for the control API`,
      got: describeValue(sender),
      advice: 'serve --control-origin lets a page of another origin use it',
    });
  }
}

/** Reads the path as the router does, where it may be the control API's at all. */
function namesControl(request: Request): boolean {
  if (!request.url.includes('%') && !request.url.includes(controlPath)) return false;
  const path = getPath(request);
  return path === controlPath || path.startsWith(`${controlPath}/`);
}

function isAt(host: string): (origin: string) => boolean {
  return (origin) => URL.canParse(origin) && new URL(origin).host === host;
}

/** Names that no foreign name server answers for. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
