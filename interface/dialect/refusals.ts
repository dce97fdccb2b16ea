import * as z from 'zod';
import { canonicalJson, isSameJson, jsonSchema } from '../json.ts';
import { orNearest } from '../nearest-name.ts';
import {
  type AcceptedAs,
  acceptanceKindsFor,
  acceptedAs,
  type Cell,
  defaultCell,
  isKept,
  isRefusal,
  type Refusal,
  type RefusalBody,
} from './cells.ts';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  endpointNames,
  errorsOf,
  isLimit,
  isShared,
} from './errors.ts';

/** A cell as it stands in a file: a status, a way to accept it, or an object. */
export type WrittenCell = number | AcceptedAs | Cell;

/** Cells by endpoint and error; `"*"` stands for all of either, `field:*` for all fields. */
export type WrittenRefusals = Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>;

/** What is known of each cell; `undefined` if nothing is. */
export type CellOf = (endpoint: Endpoint, error: string) => Cell | undefined;

/** The cell of every error, by endpoint. */
export type Matrix = ByEndpoint<ReadonlyMap<string, Cell>>;

/** A position in the matrix. */
interface CellPosition {
  readonly endpoint: Endpoint;
  readonly error: string;
  /** What the mock does without a dialect. */
  readonly usual: Cell;
  /** The key of its own entry, such as `createStream key:none`. */
  readonly own: string;
  /** The keys of the wildcards that stand for it, the narrowest first: the first one in a file counts. */
  readonly wildcards: readonly string[];
}

const positionsOf: ByEndpoint<readonly CellPosition[]> = byEndpoint((endpoint) =>
  errorsOf[endpoint].map(({ id: error }) => {
    const names = isShared(error) ? ['*'] : [endpoint, '*'];
    const keys = names.flatMap((name) => patternsOf(error).map((pattern) => `${name} ${pattern}`));
    const [own = '', ...wildcards] = keys;
    return { endpoint, error, usual: defaultCell(endpoint, error), own, wildcards };
  }),
);
const positions: readonly CellPosition[] = endpointNames.flatMap(
  (endpoint) => positionsOf[endpoint],
);

/** The patterns that an error matches: its own id, its kind in all fields, its first part, and all errors. */
function patternsOf(error: string): readonly string[] {
  const parts = error.split(':');
  const [head = ''] = parts;
  const kind = head === 'field' || head === 'query' ? `:${parts.at(-1)}` : '';
  return [error, `${head}:*${kind}`, `${head}:*`, '*'];
}

function matrixOf(cellOf: (position: CellPosition) => Cell): Matrix {
  return byEndpoint(
    (endpoint) => new Map(positionsOf[endpoint].map((one) => [one.error, cellOf(one)])),
  );
}

/** What the mock does without a dialect. */
export const defaultMatrix: Matrix = matrixOf(({ usual }) => usual);

/** Whether a cell says something that can happen to its error. */
function isPossible({ endpoint, error }: CellPosition, cell: Cell): boolean {
  if (isRefusal(cell)) return true;
  const kind = 'constant' in cell ? 'constant' : 'redirect' in cell ? 'redirect' : cell.as;
  return acceptanceKindsFor(endpoint, error).includes(kind);
}

/** A content type, as a dialect writes it. */
export const contentType: RegExp = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/;

const expectedType = 'a content type such as text/plain';
/** Schema of a content type. */
export const typeSchema = z.string(expectedType).regex(contentType, expectedType);

/** Schema of {@link RefusalBody}. */
export const refusalBodySchema: z.ZodType<RefusalBody> = z
  .union(
    [z.literal('empty'), z.strictObject({ type: typeSchema, json: jsonSchema.exactOptional() })],
    '"empty", {"type"} for a text or {"type","json"} for JSON',
  )
  .refine(
    (body) => !/"\{(?!(message|status)\}")\w+\}"/.test(JSON.stringify(body)),
    'no placeholders other than {message} and {status}',
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

/** Schema of {@link WrittenRefusals}. It refuses an unknown operation or error, and an acceptance that does not fit. */
export const refusalsSchema: z.ZodType<WrittenRefusals> = z
  .record(
    z.string(),
    z.record(z.string(), writtenCellSchema, 'an object of errors'),
    'an object of operations',
  )
  .superRefine((written, context) => {
    for (const [endpoint, cells] of Object.entries(written)) {
      for (const [pattern, cell] of Object.entries(cells)) {
        const wrong = wrongEntry(endpoint, pattern, readCell(cell as WrittenCell));
        if (wrong === undefined) continue;
        const { expected: message, got: input = cell } = wrong;
        context.addIssue({ code: 'custom', path: [endpoint, pattern], message, input });
      }
    }
  }) as unknown as z.ZodType<WrittenRefusals>;

/** What is wrong with an entry: what was expected, and the wrong name, unless the value is wrong. */
function wrongEntry(
  endpoint: string,
  pattern: string,
  cell: Cell,
): { readonly expected: string; readonly got?: string } | undefined {
  if (endpoint !== '*' && !(endpointNames as readonly string[]).includes(endpoint)) {
    return { expected: `an entry for one of ${endpointNames.join(', ')} or *`, got: endpoint };
  }
  const ofEndpoint = positions.filter(
    (position) => endpoint === '*' || endpoint === position.endpoint,
  );
  const matched = ofEndpoint.filter(({ error }) => patternsOf(error).includes(pattern));
  if (matched.length === 0) {
    const known = new Set(ofEndpoint.flatMap(({ error }) => patternsOf(error)));
    const nearest = orNearest(pattern, [...known]);
    return { expected: `an entry for an error that the operation has${nearest}`, got: pattern };
  }
  if (matched.some((one) => one.error === pattern && lacksBounds(one, cell))) {
    return { expected: 'also "above" and "below": a limit lies between them' };
  }
  if (matched.some((position) => isPossible(position, cell))) return undefined;
  const kinds = new Set(
    matched.flatMap((position) => acceptanceKindsFor(position.endpoint, position.error)),
  );
  const accepted = kinds.size > 0 ? `, or one of ${[...kinds].join(', ')}` : '';
  return { expected: `a status from 400 to 599${accepted}` };
}

/** Whether a refusal does not say beyond which limit it refuses. */
function lacksBounds(position: CellPosition, cell: Cell): boolean {
  const isBounded = cell.above !== undefined && cell.below !== undefined;
  return isRefusal(cell) && !isBounded && isLimit(position.endpoint, position.error);
}

/** A cell from a file. */
function readCell(written: WrittenCell): Cell {
  if (typeof written === 'number') return { status: written };
  return typeof written === 'string' ? { as: written } : written;
}

/** A cell as it stands in a file. */
function writeCell(cell: Cell): WrittenCell {
  if (Object.keys(cell).length > 1) return cell;
  if (isRefusal(cell)) return cell.status;
  return 'as' in cell ? cell.as : cell;
}

type Entries = ReadonlyMap<string, Cell>;

/** Every cell of a dialect. What the file leaves out is as in the mock without a dialect. */
export function readRefusals(written: WrittenRefusals): Matrix {
  const entries = new Map<string, Cell>();
  for (const [endpoint, cells] of Object.entries(written)) {
    for (const [pattern, cell] of Object.entries(cells)) {
      entries.set(`${endpoint} ${pattern}`, readCell(cell));
    }
  }
  return matrixOf((position) => entries.get(position.own) ?? byWildcards(entries, position));
}

/**
 * What the wildcards say about a cell. They say what a refusal looks like, not whether there is one: if the
 * mock accepts an error, only the error's own entry makes it refuse.
 */
function byWildcards(entries: Entries, position: CellPosition): Cell {
  const { usual } = position;
  if (!isRefusal(usual)) return usual;
  for (const key of position.wildcards) {
    const cell = entries.get(key);
    if (cell !== undefined && isPossible(position, cell)) return atUsualLimit(cell, position);
  }
  return usual;
}

/** A wildcard keeps the limit that the mock has. */
function atUsualLimit(cell: Cell, { usual: { above, below } }: CellPosition): Cell {
  if (above === undefined || below === undefined || !isRefusal(cell)) return cell;
  return { ...cell, above, below };
}

/** The entry of a file that decides a cell, such as `createStream.key:none` or `*.key:*`, if there is one. */
export function entryFor(
  written: WrittenRefusals,
  endpoint: Endpoint,
  error: string,
): string | undefined {
  const position = positionsOf[endpoint].find((one) => one.error === error);
  if (position === undefined) return undefined;
  return [position.own, ...position.wildcards]
    .map((key) => key.split(' '))
    .find(([name = '', pattern = '']) => written[name]?.[pattern] !== undefined)
    ?.join('.');
}

/** The keys of all wildcards, the widest first. Each error has up to seven: from `* *` to `createStream field:*:null`. */
const wildcards = new Set(
  [-1, -2, -3, -4, -5, -6, -7].flatMap((level) =>
    positions.map((position) => position.wildcards.at(level)),
  ),
);

/** Every key in the order of the tables; within an endpoint, wildcards come first. */
const orderedKeys: readonly string[] = ['*', ...endpointNames].flatMap((endpoint) => {
  const keys = positions.flatMap(({ own, wildcards }) => [...wildcards.toReversed(), own]);
  const ofEndpoint = keys.filter((key) => key.startsWith(`${endpoint} `));
  const isWide = (key: string): boolean => key.includes('*', 1);
  return [...ofEndpoint.filter(isWide), ...ofEndpoint.filter((key) => !isWide(key))];
});

/** A cell that was observed. */
interface Observed extends CellPosition {
  readonly cell: Cell;
  /** The same as a wildcard would say it: without its limit if that is the mock's own. */
  readonly said: Cell;
  /** `said` as canonical text. */
  readonly text: string;
}

/**
 * Writes cells in a short form, always the same for the same cells: first wildcards that save entries, from
 * the widest to the narrowest, then the cells that these get wrong. Unknown cells may be anything.
 */
export function writeRefusals(cellOf: CellOf): WrittenRefusals {
  const observed = observedIn(cellOf);
  const entries = new Map<string, Cell>();
  for (const key of wildcards) {
    if (key === undefined) continue;
    const under = observed.filter((one) => isRefusal(one.usual) && one.wildcards.includes(key));
    const best = bestCell(under, entries);
    if (best !== undefined) entries.set(key, best);
  }
  for (const one of observed) {
    if (!isSaid(one, entries)) entries.set(one.own, one.cell);
  }
  const written: Record<string, Record<string, WrittenCell>> = {};
  for (const key of orderedKeys) {
    const cell = entries.get(key);
    const [endpoint = '', pattern = ''] = key.split(' ');
    if (cell === undefined) continue;
    written[endpoint] ??= {};
    written[endpoint][pattern] = writeCell(cell);
  }
  return written;
}

function observedIn(cellOf: CellOf): readonly Observed[] {
  const observed = new Map<string, Observed>();
  for (const position of positions) {
    const cell = cellOf(position.endpoint, position.error);
    // If all operations share an error, its first cell counts.
    if (cell === undefined || observed.has(position.own)) continue;
    const { above: _, below: __, ...plain } = cell;
    const isUsual = isSameJson(atUsualLimit(plain as Cell, position), cell);
    const said = isUsual ? (plain as Cell) : cell;
    observed.set(position.own, { ...position, cell, said, text: canonicalJson(said) });
  }
  return [...observed.values()];
}

/** The cell with which a wildcard saves the most entries, given the wider ones; `undefined` if none saves any. */
function bestCell(under: readonly Observed[], wider: Entries): Cell | undefined {
  const known = new Set(under.filter((one) => isSaid(one, wider)));
  let best: Cell | undefined;
  let mostSaved = 1;
  for (const [text, cell] of new Map(under.map((one) => [one.text, one.said]))) {
    const decided = under.filter((one) => isPossible(one, cell));
    const more = decided.filter((one) => one.text === text).length;
    const saved = more - decided.filter((one) => known.has(one)).length;
    if (saved <= mostSaved) continue;
    mostSaved = saved;
    best = cell;
  }
  return best;
}

function isSaid(one: Observed, entries: Entries): boolean {
  return isSameJson(byWildcards(entries, one), one.cell);
}

/** Whether no client can notice a cell because of other cells, for example if its operation is not offered. */
export function isHidden(endpoint: Endpoint, error: string, cellOf: CellOf): boolean {
  if (error !== 'operation:given' && !isOffered(endpoint, cellOf)) return true;
  if (error === 'body:unknown') {
    // If a further field is refused or kept, so is the body.
    const unknown = cellOf(endpoint, 'field:unknown:given');
    if (unknown !== undefined && !('as' in unknown && unknown.as === 'dropped')) return true;
  }
  if (error === 'id:deleted' && !isOffered('deleteStream', cellOf)) return true;
  return givenErrorsOf(error).some((given) => {
    const cell = given === error ? undefined : cellOf(endpoint, given);
    return cell !== undefined && !isKept(cell);
  });
}

/** Whether a service has an operation, as far as is known. */
export function isOffered(endpoint: Endpoint, cellOf: CellOf): boolean {
  const cell = cellOf(endpoint, 'operation:given');
  return cell === undefined || !isRefusal(cell);
}

/** The `given` errors of a field or parameter and of what contains it: unless they are kept, no value shows. */
function givenErrorsOf(error: string): readonly string[] {
  const [head, name = ''] = error.split(':');
  if (head !== 'field' && head !== 'query') return [];
  const own = `${head}:${name}:given`;
  return name.startsWith('profiles[]') ? [own, 'field:profiles:given'] : [own];
}
