import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isObject } from '../../json.ts';
import { namesIn } from '../../names-in-header.ts';
import type { Finding } from './finding.ts';
import { readJson } from './read-json.ts';

/** What counts of a header; `undefined` where it does not count. */
type Read = (value: string | null, response: TargetResponse) => string | undefined;

const presence: Read = (value) => (value === null ? 'absent' : 'present');
const value: Read = (text) => text?.trim().toLowerCase() ?? 'absent';
const list: Read = (text) =>
  text === null ? 'absent' : namesIn(text.toLowerCase()).sort().join(', ') || 'empty';

const headers: Readonly<Record<string, Read>> = {
  // Without a body the type says nothing.
  'content-type': (type, { text }) =>
    text === '' ? undefined : (type?.toLowerCase().replace(/\s*;\s*/g, '; ') ?? 'absent'),
  location: (text, response) => (text === null ? 'absent' : whatIsAt(text, response)),
  // Whether there is a next page is compared of lists: what others made may be what fills one.
  link: relations,
  allow: list,
  etag: presence,
  'www-authenticate': (text) => text?.split(' ')[0]?.toLowerCase() ?? 'absent',
  'retry-after': value,
  'access-control-allow-origin': value,
  'access-control-allow-credentials': value,
  'access-control-allow-methods': list,
  'access-control-allow-headers': list,
  'access-control-expose-headers': list,
  'access-control-max-age': value,
};

/** The relations that links have beside that to the next page. */
function relations(links: string | null): string {
  const names = [...(links ?? '').matchAll(/;\s*rel\s*=\s*"?([\w\s-]*)/gi)]
    .flatMap(([, name = '']) => name.toLowerCase().split(/\s+/))
    .filter((name) => name !== '' && name !== 'next');
  return [...new Set(names)].sort().join(', ') || 'absent';
}

/** Whether an address is that of the record in the body. */
function whatIsAt(address: string, response: TargetResponse): string {
  const body = readJson(response);
  const id = isObject(body) ? body['id'] : undefined;
  const isOfRecord =
    typeof id === 'string' && address.includes(encodeURIComponent(id.toWellFormed()));
  return isOfRecord ? 'of the record' : 'of something else';
}

/** The headers that are compared. */
export const headerNames: readonly string[] = Object.keys(headers);

/** How the headers that clients read differ. */
export function compareHeaders(responses: readonly [TargetResponse, TargetResponse]): Finding[] {
  return Object.entries(headers).flatMap(([name, read]) => {
    const texts = responses.map((response) => response.headers.get(name));
    if (texts.every((text) => text === null)) return [];
    const [one, other] = responses.map((response, side) => read(texts[side] ?? null, response));
    if (one === undefined || other === undefined || one === other) return [];
    return [{ where: `header ${name}`, kinds: [one, other] as const }];
  });
}
