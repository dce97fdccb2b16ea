/** A number of things, such as `1 difference`. */
export function howMany(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A text, cut to `max` characters. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** A value in a message, shortened to 120 characters. */
export function show(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : JSON.stringify(value), 120);
}

/** The first texts of a list; if there are more, the last text says how many. */
export function firstOf(texts: readonly string[], max: number): readonly string[] {
  const omitted = texts.length - max;
  return omitted > 0 ? [...texts.slice(0, max), `and ${omitted} more`] : texts;
}
