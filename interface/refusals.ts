import * as z from 'zod';
import { wordsFor } from './accepted.ts';
import {
  type AcceptedAs,
  acceptedAs,
  type Cell,
  isRefusal,
  type LimitBounds,
  type Refusal,
  type RefusalBody,
  usualCell,
} from './cells.ts';
import { type Asked, askedNames, type ByAsked, byAsked, errorsOf, isShared } from './errors.ts';
import { canonicalJson, isSameJson, jsonSchema } from './json.ts';

/** A cell as it stands in a file: a status, a word, or an object. */
export type WrittenCell = number | AcceptedAs | Cell;

/** Cells by what is asked for, then by the error; `"*"` stands for all of either, `field:*` for all fields. */
export type WrittenRefusals = Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>;

/** Every cell that is known: by what is asked for, then by the id of the error. */
export type Cells = Readonly<Partial<Record<Asked, Readonly<Record<string, Cell>>>>>;

/** The same, complete, as the mock looks cells up. */
export type Matrix = ByAsked<ReadonlyMap<string, Cell>>;

/** What the mock does without a dialect. */
export const usualMatrix: Matrix = byAsked(
  (asked) => new Map(errorsOf[asked].map(({ id }) => [id, usualCell(asked, id)])),
);

/** What the mock does about an error without a dialect. */
export function defaultCell(asked: Asked, error: string): Cell {
  return usualMatrix[asked].get(error) as Cell;
}

/** Whether a cell says something that its error can have. */
function isPossible(asked: Asked, error: string, cell: Cell): boolean {
  if (isRefusal(cell)) return true;
  const word = 'constant' in cell ? 'constant' : 'redirect' in cell ? 'redirect' : cell.as;
  return wordsFor(asked, error).includes(word);
}

/** The patterns under which a cell is looked up, the exact one first. */
function patternsOf(error: string): readonly string[] {
  const parts = error.split(':');
  const [head = ''] = parts;
  const kinds = head === 'field' || head === 'query' ? [`${head}:*:${parts.at(-1)}`] : [];
  return [error, ...kinds, `${head}:*`, '*'];
}

const expectedType = 'a content type such as text/plain';
const typeSchema = z
  .string(expectedType)
  .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/, expectedType);

/** Schema of {@link RefusalBody}. */
export const refusalBodySchema: z.ZodType<RefusalBody> = z.union(
  [z.literal('empty'), z.strictObject({ type: typeSchema, json: jsonSchema.exactOptional() })],
  '"empty", {"type"} for a text or {"type","json"} for JSON',
);

const expectedStatus = 'a status from 400 to 599';
const status = z.int(expectedStatus).min(400, expectedStatus).max(599, expectedStatus);

/** Schema of {@link Refusal}. */
export const refusalSchema: z.ZodType<Refusal> = z.strictObject(
  { status, body: refusalBodySchema.exactOptional() },
  '{"status"} of a refusal, from 400 to 599',
);

const bounds = {
  above: z.number().min(0).exactOptional(),
  below: z.number().min(0).exactOptional(),
};
const asText = `a status from 400 to 599, {"status","body"}, or one of ${acceptedAs.join(', ')}, {"constant"}, {"redirect"}`;

const writtenCellSchema = z.union(
  [
    status,
    z.enum(acceptedAs),
    z.strictObject({ status, body: refusalBodySchema.exactOptional(), ...bounds }),
    z.strictObject({ as: z.enum(acceptedAs), ...bounds }),
    z.strictObject({ constant: jsonSchema, ...bounds }),
    z.strictObject({ redirect: z.literal([301, 302, 307, 308]) }),
  ],
  asText,
);

/** Schema of {@link WrittenRefusals}: an unknown operation or error is refused, and a word that does not fit. */
export const refusalsSchema: z.ZodType<WrittenRefusals> = z
  .record(
    z.string(),
    z.record(z.string(), writtenCellSchema, 'an object of errors'),
    'an object of operations',
  )
  .superRefine((written, context) => {
    for (const [asked, cells] of Object.entries(written)) {
      for (const [pattern, cell] of Object.entries(cells)) {
        const expected = wrongEntry(asked, pattern, readCell(cell as WrittenCell));
        if (expected === undefined) continue;
        const path = [asked, pattern];
        context.addIssue({ code: 'custom', path, message: expected, input: cell });
      }
    }
  }) as unknown as z.ZodType<WrittenRefusals>;

/** What is expected of an entry instead; `undefined` where it is right. */
function wrongEntry(asked: string, pattern: string, cell: Cell): string | undefined {
  if (asked !== '*' && !(askedNames as readonly string[]).includes(asked)) {
    return `an entry for one of ${askedNames.join(', ')} or *`;
  }
  const among = asked === '*' ? askedNames : [asked as Asked];
  const matched = among.flatMap((name) =>
    errorsOf[name]
      .filter(({ id }) => patternsOf(id).includes(pattern))
      .map(({ id }) => [name, id] as const),
  );
  if (matched.length === 0)
    return 'an entry for an error that the operation has, such as key:none or field:*';
  if (matched.some(([name, error]) => isPossible(name, error, cell))) return undefined;
  const words = new Set(matched.flatMap(([name, error]) => wordsFor(name, error)));
  return `a status from 400 to 599${words.size > 0 ? `, or one of ${[...words].join(', ')}` : ''}`;
}

/** A cell from a file. */
function readCell(written: WrittenCell): Cell {
  if (typeof written === 'number') return { status: written };
  return typeof written === 'string' ? { as: written } : written;
}

/** A cell as it stands in a file. */
export function writeCell(cell: Cell): WrittenCell {
  const keys = Object.keys(cell);
  if (keys.length > 1) return cell;
  if (isRefusal(cell)) return cell.status;
  return 'as' in cell ? cell.as : cell;
}

/** A refusal by a wildcard at the limit that the mock has. */
function atLimit(cell: Cell, { above, below }: LimitBounds): Cell {
  return above === undefined || below === undefined || !isRefusal(cell)
    ? cell
    : { ...cell, above, below };
}

type Entries = ReadonlyMap<string, Cell>;

function keyOf(asked: string, pattern: string): string {
  return `${asked} ${pattern}`;
}

/** The key of the entry that is about one error alone: under `*` where all operations share it. */
function exactKey(asked: Asked, error: string): string {
  return keyOf(isShared(error) ? '*' : asked, error);
}

/** The keys of the wildcards that an error is under, the first of which decides. */
function wildcardsOf(asked: Asked, error: string): readonly string[] {
  const names = isShared(error) ? ['*'] : [asked, '*'];
  const exact = exactKey(asked, error);
  return names
    .flatMap((name) => patternsOf(error).map((pattern) => keyOf(name, pattern)))
    .filter((key) => key !== exact);
}

/**
 * What the wildcards say of a cell. They say how a refusal looks, not whether there is one: where the mock
 * accepts, only an exact entry makes it refuse.
 */
function byWildcards(entries: Entries, asked: Asked, error: string): Cell {
  const usual = defaultCell(asked, error);
  if (!isRefusal(usual)) return usual;
  for (const key of wildcardsOf(asked, error)) {
    const cell = entries.get(key);
    if (cell !== undefined && isPossible(asked, error, cell)) return atLimit(cell, usual);
  }
  return usual;
}

/** The cell of an error, from the entries of a file. */
function cellFrom(entries: Entries, asked: Asked, error: string): Cell {
  return entries.get(exactKey(asked, error)) ?? byWildcards(entries, asked, error);
}

function entriesOf(written: WrittenRefusals): Entries {
  return new Map(
    Object.entries(written).flatMap(([asked, cells]) =>
      Object.entries(cells).map(
        ([pattern, cell]) => [keyOf(asked, pattern), readCell(cell)] as const,
      ),
    ),
  );
}

/** Every cell of a dialect: the mock's own where the file says nothing. */
export function readRefusals(written: WrittenRefusals): Matrix {
  const entries = entriesOf(written);
  return byAsked(
    (asked) => new Map(errorsOf[asked].map(({ id }) => [id, cellFrom(entries, asked, id)])),
  );
}

/** A cell that was observed. */
interface Observed {
  readonly asked: Asked;
  readonly error: string;
  readonly cell: Cell;
  /** As a wildcard would say it: without its limit, where that is the one that the mock has. */
  readonly said: Cell;
  /** The same as a text, which is alike for alike cells. */
  readonly text: string;
  /** The key of the entry that is about it alone. */
  readonly key: string;
}

/**
 * Writes cells in a short form, which is the same for the same cells: wildcards where they save entries, the
 * widest first, and exact entries for the others. Cells that are not given may be anything.
 */
export function writeRefusals(cells: Cells): WrittenRefusals {
  const observed = observedIn(cells);
  const wildcards = new Map<string, Cell>();
  const under = underWildcards(observed);
  for (const [key, list] of under) {
    const best = bestCell(list, wildcards);
    if (best !== undefined) wildcards.set(key, best);
  }
  const others = observed.filter((one) => !isSaid(one, wildcards));
  return inOrder(new Map([...wildcards, ...others.map(({ key, cell }) => [key, cell] as const)]));
}

function observedIn(cells: Cells): readonly Observed[] {
  const observed = new Map<string, Observed>();
  for (const asked of askedNames) {
    for (const { id: error } of errorsOf[asked]) {
      const cell = cells[asked]?.[error];
      const key = exactKey(asked, error);
      // Of an error that all operations share, the first cell counts.
      if (cell === undefined || observed.has(key)) continue;
      const { above: _, below: __, ...plain } = cell;
      const isUsual = isSameJson(atLimit(plain as Cell, defaultCell(asked, error)), cell);
      const said = isUsual ? (plain as Cell) : cell;
      observed.set(key, { asked, error, cell, key, said, text: canonicalJson(said) });
    }
  }
  return [...observed.values()];
}

/** The wildcards that could be written, the widest first, each with the cells that are under it. */
function underWildcards(observed: readonly Observed[]): ReadonlyMap<string, readonly Observed[]> {
  const under = new Map<string, Observed[]>();
  for (const one of observed) {
    if (!isRefusal(defaultCell(one.asked, one.error))) continue;
    for (const key of wildcardsOf(one.asked, one.error)) {
      const list = under.get(key) ?? [];
      list.push(one);
      under.set(key, list);
    }
  }
  return new Map([...under].toSorted(([one], [other]) => narrownessOf(one) - narrownessOf(other)));
}

/** How late a wildcard comes when the widest are first. */
function narrownessOf(key: string): number {
  const [asked, pattern = ''] = key.split(' ');
  const narrowness =
    pattern === '*' ? 0 : pattern.endsWith(':*') ? 1 : pattern.includes('*') ? 2 : 3;
  return asked === '*' ? narrowness : narrowness + 4;
}

/** The cell with which a wildcard saves most entries, where wider ones are given; `undefined` when none saves one. */
function bestCell(under: readonly Observed[], wider: Entries): Cell | undefined {
  const known = new Set(under.filter((one) => isSaid(one, wider)));
  const different = new Map(under.map(({ text, said }) => [text, said]));
  let best: Cell | undefined;
  let most = 1;
  for (const [text, cell] of different) {
    const decided = under.filter(({ asked, error }) => isPossible(asked, error, cell));
    const more = decided.filter((one) => one.text === text).length;
    const saved = more - decided.filter((one) => known.has(one)).length;
    if (saved <= most) continue;
    most = saved;
    best = cell;
  }
  return best;
}

function isSaid({ asked, error, cell }: Observed, wildcards: Entries): boolean {
  return isSameJson(byWildcards(wildcards, asked, error), cell);
}

/** The entries in the order of the tables, wildcards first. */
function inOrder(entries: Entries): WrittenRefusals {
  const written: Record<string, Record<string, WrittenCell>> = {};
  for (const asked of ['*', ...askedNames]) {
    const among = asked === '*' ? askedNames : [asked as Asked];
    const errors = among.flatMap((name) => errorsOf[name].map(({ id }) => id));
    const patterns = errors.flatMap((error) => patternsOf(error).toReversed());
    const known = [...new Set(['*', ...patterns])].toSorted(
      (one, other) => Number(other.includes('*')) - Number(one.includes('*')),
    );
    const found = known.flatMap((pattern) => {
      const cell = entries.get(keyOf(asked, pattern));
      return cell === undefined ? [] : [[pattern, writeCell(cell)] as const];
    });
    if (found.length > 0) written[asked] = Object.fromEntries(found);
  }
  return written;
}

/** Whether no client can notice a cell beside the others of its operation, as when it is not offered. */
export function isHidden(
  asked: Asked,
  error: string,
  cellOf: (asked: Asked, error: string) => Cell | undefined,
): boolean {
  const offered = cellOf(asked, 'operation:given');
  if (error !== 'operation:given' && offered !== undefined && isRefusal(offered)) return true;
  if (error === 'id:deleted') {
    const deletes = cellOf('deleteStream', 'operation:given');
    if (deletes !== undefined && isRefusal(deletes)) return true;
  }
  return gatesOf(error).some((gate) => {
    const cell = gate === error ? undefined : cellOf(asked, gate);
    return cell !== undefined && !('as' in cell && cell.as === 'kept');
  });
}

/** The errors `given` of a field or a parameter, and of what it is in: where one is not kept, no value shows. */
function gatesOf(error: string): readonly string[] {
  const [head, name = ''] = error.split(':');
  if (head !== 'field' && head !== 'query') return [];
  const own = `${head}:${name}:given`;
  return name.startsWith('profiles[]') ? [own, 'field:profiles:given'] : [own];
}
