/**
 * Characters that have an effect but cannot be seen: control characters, formatting such as a
 * right-to-left override, and lone surrogates. Line feeds, tabs, and the joiners in emoji are harmless.
 */
const invisibles = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** A text with every invisible character as an escape such as `\u001b`. */
export function visible(text: string): string {
  return text.replace(invisibles, (character) =>
    character === '\r' ? '\\r' : toEscape(character),
  );
}

/** JSON with the same meaning and every invisible character escaped. */
export function visibleJson(json: string): string {
  return json.replace(invisibles, (character) => character.split('').map(toEscape).join(''));
}

/** A copy of plain data in which every string, including keys, is {@link visible}. */
export function withVisibleStrings<Value>(value: Value): Value {
  return mapStrings(value, visible) as Value;
}

/** A copy of plain data in which every string, including keys, is changed. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [change(key), mapStrings(item, change)]));
}

function toEscape(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return digits.length === 4 ? `\\u${digits}` : `\\u{${digits}}`;
}
