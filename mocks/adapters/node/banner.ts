import { worldNames } from '../../../fixtures/worlds.ts';
import { describeBreaches } from '../../../interface/dialect/breaches.ts';
import type { AnyDialect } from '../../../interface/dialect/dialect.ts';
import { publicUrl } from '../../messages/public-url.ts';
import { controlPath } from '../../messages/tester-request.ts';
import type { Mock } from '../../mock.ts';
import { isAnyAddress, isLoopback } from '../ingest/hosts.ts';
import type { MockServer } from './http-server.ts';

/** What the banner says, besides the server's addresses. */
export interface BannerFacts {
  /** The name or the file of the starting world. */
  readonly world: string;
  /** The file or the Redis where the worlds are kept, if any. */
  readonly data?: string | undefined;
  /** What a service with the variants of the mock does, each with its name. */
  readonly variant?: readonly string[];
  /** The file of the mock's dialect, if any. */
  readonly dialect?: string | undefined;
}

/** The text that a person reads once the server listens. */
export function banner(mock: Mock, server: MockServer, facts: BannerFacts): string {
  const { world, data, dialect, variant = [] } = facts;
  // A key that was given is a secret, and printed text ends up in logs.
  const [apiKey, bearer, hint] = mock.openKeys
    ? [`${mock.apiKey} (each key of the form test-… has a world of its own)`, mock.apiKey, '']
    : ['the one in --api-key', '$LIVESTREAM_API_KEY', ', with the key in LIVESTREAM_API_KEY'];
  const { origin, baseUrl, controlUrl } = addressesOf(mock, server);
  const rows = {
    'base URL': baseUrl,
    'API key': apiKey,
    'control API': controlUrl,
    OpenAPI: `${origin}/openapi.json`,
    dashboard: `${origin}/`,
    RTMP: server.ingest.rtmp && `${server.ingest.rtmp}/STREAM_KEY`,
    WHIP: server.ingest.whip && `${server.ingest.whip}/STREAM_KEY (${whipNote(server)})`,
    dialect: mock.dialect && nameAndFile(mock.dialect, dialect),
    data: data && `${data} (its worlds continue; --world and --seed apply only to new ones)`,
  };
  const lines = Object.entries(rows)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(11)}  ${value}\n`);
  const label = worldNames.some((name) => name === world) ? `${world} world` : `world in ${world}`;
  return `livestream-mock is serving the ${data === undefined ? label : `worlds in ${data}`}

${lines.join('')}${variantNotice(variant)}${breachNotice(mock)}${addressNotice(server)}
Try it${hint}:
  curl -H "authorization: Bearer ${bearer}" ${baseUrl}/stream

Ctrl+C stops it.
`;
}

/** The name of a dialect with its file. One without a name is called by its file alone. */
function nameAndFile({ name }: AnyDialect, file: string | undefined): string | undefined {
  return name === undefined || file === undefined ? (name ?? file) : `${name} (${file})`;
}

/** What the variants of the mock do. */
export function variantNotice(variant: readonly string[]): string {
  return variant.map((sentence) => `like another service: ${sentence}\n`).join('');
}

/** The rules of the interface that the dialect breaks. */
export function breachNotice({ dialect }: Mock): string {
  const breaches = dialect === undefined ? [] : describeBreaches(dialect);
  return breaches.map((sentence) => `broken by the dialect: ${sentence}\n`).join('');
}

/** A warning if the server listens on an address other than loopback; empty otherwise. */
export function addressNotice({ host }: MockServer): string {
  if (isLoopback(host)) return '';
  const where = isAnyAddress(host) ? 'every address of this machine' : `${host}, not on loopback`;
  return `
  It listens on ${where}: anyone who can reach it there can use the mock,
  control it and read its journal. There is no TLS.
`;
}

/** Where media of browsers comes in, and who cannot send it there. */
function whipNote({ whipHost }: MockServer): string {
  if (isLoopback(whipHost)) return `media on ${whipHost} only; Firefox needs --whip-host`;
  return `media on ${isAnyAddress(whipHost) ? 'every address of this machine' : whipHost}`;
}

/** The line of JSON that a program reads. Its `apiKey` is null if keys were given. */
export function jsonBanner(mock: Mock, server: MockServer): string {
  const { baseUrl, controlUrl } = addressesOf(mock, server);
  const apiKey = mock.openKeys ? mock.apiKey : null;
  return `${JSON.stringify({ baseUrl, controlUrl, apiKey, ...server.ingest })}\n`;
}

/** Where clients reach a server. */
function addressesOf({ prefix, mediaOrigin }: Mock, server: MockServer) {
  const { origin } = publicUrl(new URL(server.origin), mediaOrigin);
  return { origin, baseUrl: origin + prefix, controlUrl: origin + controlPath };
}
