import type { Exchange } from '../../model/report.ts';
import { describeDuration } from './wording.ts';

/** Headers that a short report shows; the others seldom explain a failure. */
const relevantHeaders = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'location',
  'allow',
  'www-authenticate',
  'retry-after',
];

/** The headers of a response, a line each. */
export function headerLines({ headers = {} }: Exchange): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** The headers of a response that a short report shows, a line each. */
export function relevantHeaderLines(exchange: Exchange): string[] {
  return headerLines(exchange).filter((line) => relevantHeaders.includes(line.split(':')[0] ?? ''));
}

/** What an exchange is to a result: the first of several is the one that decided. */
export function evidenceTitle(index: number, count: number): string {
  if (count === 1) return 'Sent';
  return index === 0 ? 'Decided by' : 'Also sent';
}

/** What was received, such as `404 in 12 ms`. */
export function describeResponse({ status, failure, duration }: Exchange): string {
  const time = `in ${describeDuration(duration)}`;
  if (status === undefined) return `no response ${time}: ${failure ?? 'the reason is not known'}`;
  return failure === undefined ? `${status} ${time}` : `${status} ${time}, then ${failure}`;
}

/** How much of a text to show. */
export interface ExcerptSize {
  readonly lines: number;
  readonly characters: number;
}

/** The beginning of a text; where it is cut, a last line says how much is left out. */
export function excerpt(text: string, { lines, characters }: ExcerptSize): string {
  const start = text.split('\n').slice(0, lines).join('\n').slice(0, characters);
  // A cut must not leave half of a surrogate pair.
  const shown = start.isWellFormed() ? start : start.slice(0, -1);
  const rest = text.length - shown.length;
  return rest === 0 ? text : `${shown}\n… ${rest} more characters`;
}
