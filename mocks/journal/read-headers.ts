import { type Hide, hiddenKey } from '../../text/redact.ts';

/** Headers whose whole value is a secret. */
const secretHeaders: readonly string[] = ['cookie', 'set-cookie', 'proxy-authorization'];

/** Headers as an object. One named `__proto__` is left out, because an import refuses JSON with that key. */
export function readHeaders(
  headers: Iterable<[string, string]>,
  hide: Hide,
): Record<string, string> {
  const entries = [...headers].filter(([name]) => name !== '__proto__');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, hideInHeader(name, value, hide)]),
  );
}

function hideInHeader(name: string, value: string, hide: Hide): string {
  if (name === 'authorization') return hideCredentials(value);
  return secretHeaders.includes(name) ? '[hidden]' : hide(value);
}

/** Shows the scheme, such as `Bearer`. A longer first word may be a key itself. */
function hideCredentials(value: string): string {
  if (value === '') return '';
  const scheme = /^\S{1,20} +(?=\S)/.exec(value)?.[0] ?? '';
  return scheme + hiddenKey;
}
