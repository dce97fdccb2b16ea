import { randomBytes } from 'node:crypto';
import { isObject } from '../../interface/json.ts';

/** Differs in each process, so that a service that finds streams by name finds none of anybody else's. */
const processMark = `livestream-mock ${randomBytes(2).toString('hex')}-`;
/** A mark as a service may show it: in an address, spaces become hyphens. */
const anyMark = /livestream.?mock.{0,3}[0-9a-f]{4}.?\d+(?:[ _+-]|%20)?/gi;
let marksMade = 0;

/**
 * A name with more characters keeps its length, as a service may have a limit. Names that the suite gives to ordinary
 * streams are so short that with their marks they have at most 32 characters, which every service should take.
 */
const longName = 28;

/** The most characters that a mark has. */
const longestMark = 30;

/**
 * A name that no stream has: it begins with `livestream-mock`, so that whoever finds the stream knows where it came
 * from. White space at the beginning stays there, and a name that is blank or already marked stays as it is.
 */
export function markedName(name: string): string {
  const words = name.trimStart();
  if (words === '' || name.includes(processMark)) return name;
  marksMade += 1;
  const space = name.slice(0, name.length - words.length);
  const mark = `${processMark}${marksMade} `;
  const rest = name.length > longName ? words.slice(mark.length).toWellFormed() : words;
  return space + mark + rest;
}

/** The body of a creation with its name marked, if it has one. */
export function withMarkedName(body: unknown): unknown {
  if (!isObject(body) || typeof body['name'] !== 'string') return body;
  return { ...body, name: markedName(body['name']) };
}

/** Whether the body of a creation, as it was sent, names the stream as nobody else does. */
export function hasMarkedName(sent: string | undefined): boolean {
  return sent?.includes(processMark) ?? false;
}

/** A text without the marks in it, so that nothing that is learned or compared depends on them. */
export function withoutMarks(text: string): string {
  return text.replaceAll(anyMark, '');
}

/** A text with the name that was asked for in place of the marked one, and without other marks. */
export function withOriginalName(
  text: string,
  original: unknown,
  sent: string | undefined,
): string {
  const [mark] = new RegExp(`${processMark}\\d+ `).exec(sent ?? '') ?? [];
  if (typeof original !== 'string' || mark === undefined) return withoutMarks(text);
  const hidden = original.length > longName ? original.trimStart().slice(0, mark.length) : '';
  return withoutMarks(text.replaceAll(mark, () => JSON.stringify(hidden).slice(1, -1)));
}

/** Whether two names differ at most by their marks. */
export function isSameName(left: string, right: string): boolean {
  const [shorter = '', longer = ''] = [left, right]
    .map(withoutMarks)
    .sort((one, other) => one.length - other.length);
  if (shorter === longer) return true;
  const hidden = longer.length - shorter.length;
  return longer.length > longName && hidden <= longestMark && longer.endsWith(shorter);
}
