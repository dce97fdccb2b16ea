import { closest } from 'fastest-levenshtein';
import * as z from 'zod';
import { type BreakId, type Breaks, breakIds, breakOf, breaks } from './breaks.ts';
import { type Behaviours, rowIds, rowOf, usualBehaviours } from './silent.ts';

/** How one service does what the interface leaves open: a file that is read and reviewed like code. */
export interface Dialect {
  readonly format: 'livestream-mock/dialect';
  readonly version: 1;
  /** Which service it describes, and in how far. */
  readonly name?: string;
  /** The rows that are known; the mock does the others as it does without a dialect. */
  readonly rows: Partial<Behaviours>;
  readonly breaks?: Breaks;
}

const rowSchemas = Object.fromEntries(rowIds.map((id) => [id, rowOf(id).values.exactOptional()]));

const breakSchemas = Object.fromEntries(
  Object.entries(breaks).map(([id, { values }]) => [id, (values as z.ZodType).exactOptional()]),
);

/** What is expected of an object of rows or breaks; it names the nearest to an unknown key. */
function knownKeys(what: string, known: object): (issue: z.core.$ZodRawIssue) => string {
  return (issue) =>
    issue.code === 'unrecognized_keys'
      ? `known ${what}, perhaps ${closest(String(issue.keys[0]), Object.keys(known))}`
      : `an object of ${what}`;
}

/** Whether a client finds all sessions: on one page, or by links from page to page (LIST-17). */
function leadsOn(rows: Readonly<Record<string, unknown>>): boolean {
  const { 'list.next': next = 'link', 'sessions.page-size': size } = rows;
  return next === 'link' || typeof size !== 'number';
}

/** Schema of a dialect file, made from the table of silent behaviours; an unknown row is refused. */
export const dialectSchema: z.ZodType<Dialect> = z.strictObject(
  {
    format: z.literal('livestream-mock/dialect', '"livestream-mock/dialect"'),
    version: z.literal(1, '1'),
    name: z
      .string('a text')
      .regex(/^\P{Cc}{1,100}$/u, 'one line of up to 100 characters')
      .exactOptional(),
    rows: z.strictObject(rowSchemas, { error: knownKeys('rows', rowSchemas) }).refine(leadsOn, {
      path: ['sessions.page-size'],
      error: '{"atLeast"} where list.next is not "link", as no one finds the other sessions',
    }),
    breaks: z
      .strictObject(breakSchemas, { error: knownKeys('breaks', breakSchemas) })
      .exactOptional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? 'no keys but format, version, name, rows, breaks'
        : 'an object with format, version and rows',
  },
) as unknown as z.ZodType<Dialect>;

/**
 * A value for each row: those of a dialect, and the mock's own for the others. An update that switches
 * recording is not refused for the record in it.
 */
export function behavioursOf(dialect: Dialect | undefined): Behaviours {
  if (dialect === undefined) return usualBehaviours;
  const behaviours = { ...usualBehaviours, ...dialect.rows };
  const switches = dialect.breaks?.['update-switches-record'] === true;
  return switches ? { ...behaviours, 'update.record': 'dropped' } : behaviours;
}

/** A dialect in one line: its name and what it breaks. */
export function describeDialect(dialect: Dialect): string {
  const broken = describeBreaks(dialect);
  const named = `Dialect: ${dialect.name ?? 'without a name'}.`;
  if (broken.length === 0) return named;
  return `${named} It breaks rules that the interface states: ${broken.join(' ')}`;
}

/** The stated rules that a dialect breaks, each in a sentence. */
export function describeBreaks(dialect: Dialect): string[] {
  const given = Object.entries(dialect.breaks ?? {});
  return given.map(([id, value]) => breakOf(id as BreakId).statement(value));
}

/**
 * What two dialects say otherwise: the ids of rows, and of breaks as `breaks.key-spelling`. A row that is
 * not in a dialect has its default.
 */
export function differingRows(one: Dialect | undefined, other: Dialect | undefined): string[] {
  const [left, right] = [behavioursOf(one), behavioursOf(other)];
  const differs = (a: unknown, b: unknown): boolean => canonicalJson(a) !== canonicalJson(b);
  const broken = breakIds.filter((id) => differs(one?.breaks?.[id], other?.breaks?.[id]));
  return [
    ...rowIds.filter((id) => differs(left[id], right[id])),
    ...broken.map((id) => `breaks.${id}`),
  ];
}

/** The JSON of a value with the keys of objects in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
