import { type Hide, hiddenKey } from '../../text/redact.ts';

/** Headers whose whole value is a secret. */
const secretHeaders: readonly string[] = ['cookie', 'set-cookie', 'proxy-authorization'];

/**
 * Headers as an object. One whose name has a key in it is left out, because a hidden key is no name, and one named
 * `__proto__`, because an import refuses JSON with that key.
 */
export function readHeaders(
  headers: Iterable<[string, string]>,
  hide: Hide,
): Record<string, string> {
  const entries = [...headers].filter(([name]) => name !== '__proto__' && hide(name) === name);
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
