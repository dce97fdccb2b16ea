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
import { type Asked, askedNames, errorsOf, type RequestError } from './errors.ts';
import { canonicalJson, jsonSchema } from './json.ts';
import { statedRules } from './stated-rules.ts';

/** A cell as it stands in a file: a status, a word, or an object. */
export type WrittenCell = number | AcceptedAs | Cell;

/** Cells by what is asked for, then by the error; `"*"` stands for all of either, `field:*` for all fields. */
export type WrittenRefusals = Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>;

/** Every cell that is known: by what is asked for, then by the id of the error. */
export type Cells = Readonly<Partial<Record<Asked, Readonly<Record<string, Cell>>>>>;

/** The same, complete, as the mock looks cells up. */
export type Matrix = Readonly<Record<Asked, ReadonlyMap<string, Cell>>>;

const errorIds: Readonly<Record<Asked, ReadonlyMap<string, RequestError>>> = Object.fromEntries(
  askedNames.map((asked) => [asked, new Map(errorsOf[asked].map((error) => [error.id, error]))]),
) as unknown as Readonly<Record<Asked, ReadonlyMap<string, RequestError>>>;

const usualCells: Matrix = Object.fromEntries(
  askedNames.map((asked) => [
    asked,
    new Map(errorsOf[asked].map(({ id }) => [id, usualCell(asked, id)])),
  ]),
) as unknown as Matrix;

/** What the mock does about an error without a dialect. */
export function defaultCell(asked: Asked, error: string): Cell {
  return usualCells[asked].get(error) as Cell;
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

const bodySchema: z.ZodType<RefusalBody> = z.union(
  [
    z.literal('empty'),
    z.strictObject({
      type: z
        .string('a content type')
        .regex(
          /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/,
          'a content type such as text/plain',
        ),
      json: jsonSchema.exactOptional(),
    }),
  ],
  '"empty", {"type"} for a text or {"type","json"} for JSON',
);

/** Schema of {@link RefusalBody}. */
export const refusalBodySchema: z.ZodType<RefusalBody> = bodySchema;

const status = z
  .int('a status from 400 to 599')
  .min(400, 'a status from 400 to 599')
  .max(599, 'a status from 400 to 599');

/** Schema of {@link Refusal}. */
export const refusalSchema: z.ZodType<Refusal> = z.strictObject(
  { status, body: bodySchema.exactOptional() },
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
    z.strictObject({ status, body: bodySchema.exactOptional(), ...bounds }),
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
        context.addIssue({
          code: 'custom',
          path: [asked, pattern],
          message: expected,
          input: cell,
        });
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

/** Whether a measure is beyond the limit of a cell; what lies between its bounds is, and all where it has none. */
export function isBeyond(error: string, measure: number, { above, below }: LimitBounds): boolean {
  if (above === undefined || below === undefined) return true;
  return error.endsWith(':small') ? measure < below : measure > above;
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
  return keyOf(isShared(asked, error) ? '*' : asked, error);
}

/** Whether all operations have one cell for an error. */
export function isShared(asked: Asked, error: string): boolean {
  return errorIds[asked].get(error)?.shared === true;
}

/** The keys of the wildcards that an error is under, the first of which decides. */
function wildcardsOf(asked: Asked, error: string): readonly string[] {
  const names = isShared(asked, error) ? ['*'] : [asked, '*'];
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
  return Object.fromEntries(
    askedNames.map((asked) => [
      asked,
      new Map(errorsOf[asked].map(({ id }) => [id, cellFrom(entries, asked, id)])),
    ]),
  ) as unknown as Matrix;
}

/** What the mock does without a dialect. */
export const usualMatrix: Matrix = usualCells;

/** A cell that was observed, and what says it. */
interface Observed {
  readonly asked: Asked;
  readonly error: string;
  readonly cell: Cell;
  /** Without its limit, where that is the one that the mock has, so that a wildcard can say it. */
  readonly text: string;
  /** The wildcards that it is under, the first of which decides. */
  readonly keys: readonly string[];
  /** Which of them decides now, and whether that says the cell. */
  by: { readonly rank: number; readonly isSaid: boolean };
}

/**
 * Writes cells in their shortest form, which is the same for the same cells: wildcards where they save
 * entries, and exact entries for the others. Cells that are not given may be anything.
 */
export function writeRefusals(cells: Cells): WrittenRefusals {
  const all = askedNames.flatMap((asked) =>
    errorsOf[asked].flatMap(({ id }): Observed[] => {
      const cell = cells[asked]?.[id];
      return cell === undefined ? [] : [observe(asked, id, cell)];
    }),
  );
  // Of an error that all operations share, the first cell counts.
  const observed = [
    ...new Map(all.toReversed().map((one) => [exactKey(one.asked, one.error), one])).values(),
  ].toReversed();
  const wildcards = new Map<string, Cell>();
  const open = new Set(candidatesFor(observed));
  for (let best = bestWildcard(open); best !== undefined; best = bestWildcard(open)) {
    wildcards.set(best.key, best.cell);
    for (const one of open) if (one.key === best.key) open.delete(one);
    for (const { one, ...by } of best.about) if (by.rank < one.by.rank) one.by = by;
  }
  for (const key of [...wildcards.keys()].toReversed()) dropIfNeedless(observed, wildcards, key);
  const entries = new Map(wildcards);
  for (const one of observed) {
    if (!isSaid(one, wildcards)) entries.set(exactKey(one.asked, one.error), one.cell);
  }
  return inOrder(entries);
}

function observe(asked: Asked, error: string, cell: Cell): Observed {
  const usual = defaultCell(asked, error);
  const isSaid = canonicalJson(cell) === canonicalJson(usual);
  const { above, below, ...said } = cell;
  const isAsUsual =
    isRefusal(cell) && canonicalJson(atLimit(said as Cell, usual)) === canonicalJson(cell);
  const text = canonicalJson(isAsUsual ? said : cell);
  const keys = wildcardsOf(asked, error);
  return { asked, error, cell, text, keys, by: { rank: Number.POSITIVE_INFINITY, isSaid } };
}

function isSaid({ asked, error, cell }: Observed, wildcards: Entries): boolean {
  return canonicalJson(byWildcards(wildcards, asked, error)) === canonicalJson(cell);
}

/** A wildcard that could be written, and the cells that it would decide, unless another comes before it. */
interface Candidate {
  readonly key: string;
  readonly cell: Cell;
  readonly about: readonly {
    readonly one: Observed;
    readonly rank: number;
    readonly isSaid: boolean;
  }[];
}

/** The wildcards that say what one of the cells says of which they are. */
function candidatesFor(observed: readonly Observed[]): Candidate[] {
  const refusable = observed.filter(({ asked, error }) => isRefusal(defaultCell(asked, error)));
  const under = new Map<string, Observed[]>(
    refusable.flatMap(({ keys }) => keys.map((key) => [key, []] as const)),
  );
  for (const one of refusable) for (const key of one.keys) under.get(key)?.push(one);
  return [...under].flatMap(([key, list]) => {
    const cells = list.map(({ cell: { above: _, below: __, ...said } }) => said as Cell);
    const different = new Map(cells.map((cell) => [canonicalJson(cell), cell]));
    return [...different].map(([text, cell]) => ({
      key,
      cell,
      about: list
        .filter(({ asked, error }) => isPossible(asked, error, cell))
        .map((one) => ({ one, rank: one.keys.indexOf(key), isSaid: one.text === text })),
    }));
  });
}

/** The wildcard that saves most entries; `undefined` when none saves one. */
function bestWildcard(open: ReadonlySet<Candidate>): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const candidate of open) {
    let saved = -1;
    for (const { one, rank, isSaid } of candidate.about) {
      if (rank < one.by.rank) saved += Number(isSaid) - Number(one.by.isSaid);
    }
    if (saved > most) {
      best = candidate;
      most = saved;
    }
  }
  return best;
}

/** How many cells need no entry of their own. */
function count(cells: readonly Observed[], wildcards: Entries): number {
  return cells.filter((one) => isSaid(one, wildcards)).length;
}

function dropIfNeedless(
  observed: readonly Observed[],
  wildcards: Map<string, Cell>,
  key: string,
): void {
  const about = observed.filter(({ keys }) => keys.includes(key));
  const cell = wildcards.get(key) as Cell;
  const before = count(about, wildcards);
  wildcards.delete(key);
  if (count(about, wildcards) < before) wildcards.set(key, cell);
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

/** The requirements of the suite that a cell breaks: it accepts what the interface rules out, or the other way round. */
export function requirementsBroken(asked: Asked, error: string, cell: Cell): readonly string[] {
  const rule = statedRules[asked]?.find(({ errors }) => errors.includes(error));
  if (rule === undefined) return [];
  const { keep, sends, requirements } = rule;
  if (sends !== undefined && !isBeyond(error, sends, cell)) return [];
  const isRefused = isRefusal(cell) && cell.status < 500;
  // What is sent has the right type, so a conversion keeps it.
  const isKept = 'as' in cell && ['kept', 'text', 'number'].includes(cell.as);
  const holds = (isRefused && keep !== 'must') || (isKept && keep !== undefined);
  return holds ? [] : requirements;
}
