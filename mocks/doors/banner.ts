import type { Mock } from '../mock.ts';
import type { MockServer } from './http-server.ts';

/** What the banner tells beside where the server is. */
export interface BannerFacts {
  readonly world: string;
  /** The file that keeps the worlds, if one does. */
  readonly data?: string | undefined;
}

/** What a person reads when the server is up. */
export function banner(mock: Mock, server: MockServer, { world, data }: BannerFacts): string {
  const others = mock.openKeys ? ' (each key of the form test-… has a world of its own)' : '';
  const kept =
    data === undefined
      ? ''
      : `  data         ${data} (worlds it keeps go on; --world and --seed are for new ones)\n`;
  const what = data === undefined ? `the ${world} world` : `the worlds of ${data}`;
  return `livestream-mock serves ${what}

  base URL     ${server.baseUrl}
  API key      ${mock.apiKey}${others}
  control API  ${server.controlUrl}
  OpenAPI      ${server.origin}/openapi.json
  dashboard    ${server.origin}/
${kept}${openNotice(server)}
Try it:
  curl -H ${quote(`authorization: Bearer ${mock.apiKey}`)} ${server.baseUrl}/stream

Ctrl+C stops it.
`;
}

/** What must be said where other machines can reach the server; nothing on loopback. */
export function openNotice({ origin }: MockServer): string {
  const { hostname } = new URL(origin);
  if (/^(localhost|127\..*|\[::1\]|\[::ffff:7f.*\])$/.test(hostname)) return '';
  return `
  This is not the loopback address: whoever reaches ${hostname} can use the mock, steer it and
  read its journal. There is no TLS.
`;
}

/** What a program reads: one line of JSON. */
export function jsonBanner({ apiKey }: Mock, { baseUrl, controlUrl }: MockServer): string {
  return `${JSON.stringify({ baseUrl, controlUrl, apiKey })}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
