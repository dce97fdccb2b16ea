import type { Exchange } from '../../../conformance/model/report.ts';
import { isObject } from '../../json.ts';
import { isInBody } from '../equal/without-keys.ts';

/** A line of the last response. */
export interface ShownLine {
  readonly text: string;
  /** Whether it is what the two sides differ in. */
  readonly differs?: true;
}

/** Characters that are shown. */
const longest = { refusal: 600, value: 300, beside: 120 } as const;

/** A response as lines: the status, the header or the part of the body that differs, and little else. */
export function responseLines(exchange: Exchange | undefined, where: string): ShownLine[] {
  if (exchange === undefined) return [];
  const { status, headers = {}, body = '', failure } = exchange;
  if (status === undefined) return [{ text: failure ?? 'no response' }];
  return [
    mark(String(status), where === 'status'),
    ...headersShown(where).flatMap((name) => headerLine(name, headers[name], where)),
    ...bodyLines(body, where),
  ];
}

/** The headers that are shown: the one that differs, and those without which a body says little. */
function headersShown(where: string): readonly string[] {
  if (where === 'next page') return ['link', 'x-next-cursor'];
  const header = headerOf(where);
  return header === undefined ? ['content-type'] : [header];
}

function headerOf(where: string): string | undefined {
  return /^header (.+)$/.exec(where)?.[1];
}

function headerLine(name: string, value: string | undefined, where: string): ShownLine[] {
  const differs = headerOf(where) === name || where === 'next page';
  if (value === undefined && !differs) return [];
  return [mark(`${name}: ${value ?? '(none)'}`, differs)];
}

function bodyLines(body: string, where: string): ShownLine[] {
  if (body === '') return [];
  const key = isInBody(where) ? /[^.[\]]+/.exec(where)?.[0] : undefined;
  const records = key === undefined ? [] : recordsIn(body);
  if (key !== undefined && records.length > 0) return memberLines(records, key);
  const isBeside = /^(header|next page|renditions|duration|delay|address)/.test(where);
  const text = shorten(body, isBeside ? longest.beside : longest.refusal);
  return [mark(text, /^(refusal|items|order of items)$/.test(where))];
}

type Parsed = Readonly<Record<string, unknown>>;

function recordsIn(body: string): Parsed[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject);
  } catch {
    // A body that was cut is no JSON.
    return [];
  }
}

/** Records that are shown of a list. */
const mostRecords = 3;

/** The id of each record and the key that differs, as the other keys do not. */
function memberLines(records: readonly Parsed[], key: string): ShownLine[] {
  return records.slice(0, mostRecords).flatMap((record) => {
    const value = record[key] === undefined ? '(none)' : JSON.stringify(record[key]);
    const keys = Object.keys(record).filter((one) => one !== key && one !== 'id');
    return [
      ...('id' in record && key !== 'id'
        ? [{ text: `"id": ${JSON.stringify(record['id'])}` }]
        : []),
      mark(shorten(`"${key}": ${value}`, longest.value), true),
      { text: `and ${keys.length} more keys` },
    ];
  });
}

function mark(text: string, differs: boolean): ShownLine {
  return { text, ...(differs && { differs }) };
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
