/** What stands in the place of a key. */
export const hiddenKey = '[API key]';
/** What is shorter is no key, and would be found in any text. */
export const shortestKey = 6;

/** Replaces keys in a text. */
export type Hide = (text: string) => string;

/**
 * Makes what replaces `keys` in a text, however they are written: as they are, in an address, in JSON;
 * whole, or as much of one as is left before `…`, where a message has cut a long value.
 */
export function hideSecrets(keys: readonly string[]): Hide {
  const patterns = [...new Set(keys)]
    .filter(({ length }) => length >= shortestKey)
    .toSorted((left, right) => right.length - left.length)
    .flatMap((key) => [wholePattern(key), cutPattern(key)]);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replace(pattern, hiddenKey);
}

function wholePattern(key: string): string {
  return [...key].map(spellings).join('');
}

/** The beginning of a key before a cut, which may go through an escaped character. */
function cutPattern(key: string): string {
  const [first, ...rest] = [...key].map(spellings);
  const split = shortestKey - 1;
  const optional = rest.slice(split).reduceRight((tail, next) => `(?:${next}${tail})?`, '');
  return `${first}${rest.slice(0, split).join('')}${optional}(?:%[\\da-fA-F]?)?(?=…)`;
}

/** A character as it is, percent-encoded, or with the backslashes of JSON before it. */
function spellings(character: string): string {
  const encoded = [...new TextEncoder().encode(character)].map(percent).join('');
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  if (character === '\\') return `(?:\\\\+|${encoded})`;
  return `(?:${character === '"' ? '\\\\*"' : literal}|${encoded})`;
}

function percent(byte: number): string {
  const digits = [...byte.toString(16).padStart(2, '0')];
  return `%${digits.map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')}`;
}

/** Headers that are a secret as a whole. */
const secretHeaders: readonly string[] = ['cookie', 'set-cookie', 'proxy-authorization'];

/** Headers as an object. One that is named `__proto__` is left out, as no JSON with it is taken. */
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
