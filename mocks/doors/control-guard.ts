import { isIP } from 'node:net';
import { controlPath } from '../http/operations.ts';
import { describeValue, Problem } from '../problem.ts';

/** Who may use the control API of a server. */
export interface ControlAccess {
  /** The address that the server listens on. */
  readonly host: string;
  /** Origins whose pages may use it, beside the server's own. */
  readonly controlOrigins: readonly string[];
}

/**
 * Refuses what a page of another origin sends to the control API. Such a page can reach a server on
 * loopback; it says its origin, unless it has got its own host name to lead here (DNS rebinding).
 * @throws Problem 403 for an origin or a host that is not the server's.
 */
export function guardControl(request: Request, { host, controlOrigins }: ControlAccess): void {
  if (!namesControl(request.url)) return;
  const { hostname, origin } = new URL(request.url);
  if (!isLocalName(hostname) && hostname !== host) {
    throw new Problem(
      403,
      `header host: expected localhost or an IP address${isLocalName(host) ? '' : ` or ${host}`} for the control API, got ${describeValue(hostname)}`,
    );
  }
  const sender = request.headers.get('origin');
  if (sender !== null && sender !== origin && !controlOrigins.includes(sender)) {
    throw new Problem(
      403,
      `header origin: expected ${origin} for the control API, got ${describeValue(sender)}; serve --control-origin lets a page of another origin use it`,
    );
  }
}

/** The router decodes paths, so what it may take for the control API is looked for decoded. */
function namesControl(url: string): boolean {
  if (!url.includes('%')) return url.includes(controlPath);
  const [address = ''] = url.split('?', 1);
  const decoded = address.replace(/%([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded.includes(controlPath);
}

/** Names that no foreign name server answers for. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
