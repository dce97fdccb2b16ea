/** The text that replaces a key. */
export const hiddenKey = '[API key]';
/** Characters of the shortest key: a shorter one would be found in any text. */
export const shortestKey = 6;

/** Replaces keys in a text. */
export type Hide = (text: string) => string;

/**
 * Makes the function that replaces `keys` in a text, whether they are written plainly, as in a URL or as in
 * JSON. It also replaces the beginning of a key before `…`, where a message has cut a long value.
 */
export function hideSecrets(keys: readonly string[]): Hide {
  const written = keys
    .filter(({ length }) => length >= shortestKey)
    .flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  if (written.length === 0) return (text) => text;
  const cut = written.map((text) => `${literal(text.slice(0, shortestKey))}\\S{0,180}?…`);
  const pattern = new RegExp([...new Set([...written.map(literal), ...cut])].join('|'), 'gi');
  return (text) => text.replace(pattern, hiddenKey);
}

/** A pattern that matches only a text itself. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Headers whose whole value is a secret. */
const secretHeaders: readonly string[] = ['cookie', 'set-cookie', 'proxy-authorization'];

/** Headers as an object, without one named `__proto__`: JSON with that key is refused on import. */
export function readHeaders(
  headers: Iterable<[string, string]>,
  hide: Hide,
): Record<string, string> {
  const shown = [...headers].filter(([name]) => name !== '__proto__');
  return Object.fromEntries(shown.map(([name, value]) => [name, hideInHeader(name, value, hide)]));
}

function hideInHeader(name: string, value: string, hide: Hide): string {
  if (name === 'authorization') return value.replace(/(^\S+ +)?.+/, `$1${hiddenKey}`);
  return secretHeaders.includes(name) ? '[hidden]' : hide(value);
}
