/** One way in which two responses differ. */
export interface Finding {
  /** `status`, `header link`, `refusal`, or a JSON path such as `[].profiles`. */
  readonly where: string;
  /** What is there on each side, as a kind or, where values are few, as a value. */
  readonly kinds: readonly [string, string];
  /** Milliseconds that each side takes, where that is what differs: the longer one at least, the shorter one at most. */
  readonly delays?: readonly [number, number];
}

/** Places of the media of a recording. */
export const mediaPlaces: readonly string[] = [
  'renditions',
  'duration of the playlist',
  'duration of the MP4',
  'address in the playlist',
];

/** The kind of a value: never what an account has in it. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A value where it is a flag, a number or a word, and its kind otherwise. */
export function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z][a-z_-]{0,30}$/.test(value)) return `"${value}"`;
  return kindOf(value);
}
