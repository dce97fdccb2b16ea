/** A number of things, such as `1 difference`. */
export function howMany(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A text, cut to `max` characters. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** How many characters of a value a message shows. */
const longestValue = 120;

/** A value in a message, shortened to about 120 characters. A list is cut after an element. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  if (!Array.isArray(value) || text.length <= longestValue) return shorten(text, longestValue);
  const [first, ...others] = value.map((element) => JSON.stringify(element) ?? 'null');
  const shown = [shorten(first ?? '', longestValue)];
  let length = shown.join().length;
  for (const element of others) {
    length += element.length;
    if (length > longestValue) break;
    shown.push(element);
  }
  const omitted = value.length - shown.length;
  return `[${[...shown, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join(', ')}]`;
}

/** The first texts of a list; if there are more, the last text says how many. */
export function firstOf(texts: readonly string[], max: number): readonly string[] {
  const omitted = texts.length - max;
  return omitted > 0 ? [...texts.slice(0, max), `and ${omitted} more`] : texts;
}

/** Addresses and other texts. After the first, the folders that an address shares with the first are left out. */
export function withoutSharedFolders(texts: readonly string[]): readonly string[] {
  const [first = '', ...others] = texts;
  return [first, ...others.map((text) => withoutFolders(text, first))];
}

function withoutFolders(text: string, first: string): string {
  let end = 0;
  for (let at = 0; at < text.length && text[at] === first[at]; at++) {
    if (text[at] === '/') end = at;
  }
  const shared = text.slice(0, end);
  return shared.includes('://') ? `…${text.slice(end)}` : text;
}
