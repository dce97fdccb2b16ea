import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { isSameJson, jsonSchema } from '../json.ts';
import {
  type AcceptedAs,
  acceptedAs,
  type Cell,
  isKept,
  isRefusal,
  type Refusal,
  type RefusalBody,
  redirectStatuses,
} from './cells.ts';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  type ErrorId,
  endpointNames,
  errorsOf,
  type RequestError,
} from './errors.ts';
import type { Field, Fields } from './fields.ts';

/** A cell as it stands in a file: a status, a way to accept it, or an object. */
export type WrittenCell = number | AcceptedAs | Cell;

/** Cells by endpoint and error; `"*"` stands for all of either, `field:*` for all fields. */
export type WrittenCells = Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>;

/** {@link WrittenCells} in which a misspelt endpoint or error does not compile. */
export type CheckedCells = { readonly [Name in Endpoint | '*']?: CheckedRow };

type CheckedRow = { readonly [Name in ErrorId]?: WrittenCell } & {
  readonly [pattern: `${string}*${string}`]: WrittenCell;
};

/** What is known of each cell; `undefined` if nothing is. */
export type CellOf = (endpoint: Endpoint, error: ErrorId) => Cell | undefined;

/** The cell of every error. An endpoint that cannot have an error has the cell that comes nearest. */
export type Cells = Readonly<Record<ErrorId, Cell>>;

/** The cell of every error, by endpoint. */
export type Matrix = ByEndpoint<Cells>;

/** Where an entry stands in a file. There is one object for each place, so that it can be the key of a map. */
export interface EntryKey {
  readonly endpoint: Endpoint | '*';
  /** The id of an error, or a pattern of several. */
  readonly pattern: string;
}

const knownKeys = new Map<string, EntryKey>();

function keyOf(endpoint: Endpoint | '*', pattern: string): EntryKey {
  const place = `${endpoint}.${pattern}`;
  const key = knownKeys.get(place) ?? { endpoint, pattern };
  knownKeys.set(place, key);
  return key;
}

/** A position in the matrix. */
export interface CellPosition {
  readonly endpoint: Endpoint;
  readonly error: RequestError;
  /** The key of its own entry. */
  readonly own: EntryKey;
  /** The keys of the wildcards that stand for it, the narrowest first: the first one in a file counts. */
  readonly wildcards: readonly EntryKey[];
}

/** All positions, in the order of the table. */
export const positions: readonly CellPosition[] = endpointNames.flatMap((endpoint) =>
  errorsOf[endpoint].map((error) => {
    const names = error.isShared ? (['*'] as const) : ([endpoint, '*'] as const);
    const keys = names.flatMap((name) =>
      patternsOf(error.id).map((pattern) => keyOf(name, pattern)),
    );
    const [own, ...wildcards] = keys as [EntryKey, ...EntryKey[]];
    return { endpoint, error, own, wildcards };
  }),
);

const errorIds: ReadonlySet<string> = new Set(positions.map(({ error }) => error.id));

/** Whether a text is the id of an error that some request can have. */
function isErrorId(text: string): text is ErrorId {
  return errorIds.has(text);
}

/** The patterns that an error matches: its own id, its kind in all fields, its first part, and all errors. */
function patternsOf(error: ErrorId): readonly string[] {
  const parts = error.split(':');
  const [subject = ''] = parts;
  const kind = subject === 'field' || subject === 'query' ? `:${parts.at(-1)}` : '';
  return [error, `${subject}:*${kind}`, `${subject}:*`, '*'];
}

/** What the mock does about an error without a dialect, in the first endpoint that has it. */
const defaultCells = Object.fromEntries(
  positions.toReversed().map(({ error }) => [error.id, error.defaultCell]),
) as Cells;

function matrixOf(cellOf: (position: CellPosition) => Cell): Matrix {
  const own = byEndpoint((): Partial<Record<ErrorId, Cell>> => ({}));
  for (const position of positions) own[position.endpoint][position.error.id] = cellOf(position);
  return byEndpoint((endpoint) => ({
    ...defaultCells,
    ...bodyCells(own.createStream),
    ...idCells(own.retrieveStream, own[endpoint]),
    ...own[endpoint],
  }));
}

type SomeCells = Readonly<Partial<Record<ErrorId, Cell>>>;

/** Any other endpoint reads a body, for example in the control API, as createStream does. */
function bodyCells(ofCreateStream: SomeCells): SomeCells {
  const entries = Object.entries(ofCreateStream).filter(([error]) => error.startsWith('body:'));
  return Object.fromEntries(entries);
}

/**
 * The cells of ids that `learn` does not send to an endpoint. They are those of other malformed ids. Ids that cannot be
 * decoded are sent only to reading operations: others treat them as retrieveStream does, unless they treat malformed ids
 * differently.
 */
function idCells(ofRetrieveStream: SomeCells, own: SomeCells): SomeCells {
  const malformed = own['id:malformed'];
  if (malformed === undefined) return {};
  const isAlike = isSameJson(malformed, ofRetrieveStream['id:malformed']);
  const { 'id:percent': percent, 'id:nul': nul } = ofRetrieveStream;
  return {
    'id:large': malformed,
    'id:deleted': malformed,
    'id:percent': (isAlike ? percent : undefined) ?? malformed,
    'id:nul': (isAlike ? nul : undefined) ?? malformed,
  };
}

/** What the mock does without a dialect. */
export const defaultMatrix: Matrix = matrixOf(({ error }) => error.defaultCell);

/** Whether a cell says something that can happen to its error. */
export function fitsError({ error }: CellPosition, cell: Cell): boolean {
  if (isRefusal(cell)) return true;
  const kind = 'constant' in cell ? 'constant' : 'redirect' in cell ? 'redirect' : cell.as;
  return error.acceptances.includes(kind);
}

/** A content type, as a dialect writes it. */
export const contentType: RegExp = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/;

/** Schema of a content type. */
export const typeSchema = z.string('a content type such as text/plain').regex(contentType);

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

const statusSchema = z.int('a status from 400 to 599').min(400).max(599);

/** Schema of {@link Refusal}. */
export const refusalSchema: z.ZodType<Refusal> = z.strictObject(
  { status: statusSchema, body: refusalBodySchema.exactOptional() },
  '{"status"} of a refusal, from 400 to 599',
);

const boundSchema = z.number('a number, 0 or above').min(0).exactOptional();
const limits = { above: boundSchema, below: boundSchema };
const cellForm = `a status from 400 to 599, {"status","body"}, or one of ${acceptedAs.join(', ')}, {"constant"}, {"redirect"}`;

const writtenCellSchema = z.union(
  [
    statusSchema,
    z.enum(acceptedAs),
    z.strictObject({ status: statusSchema, body: refusalBodySchema.exactOptional(), ...limits }),
    z.strictObject({ as: z.enum(acceptedAs), ...limits }),
    z.strictObject({ constant: jsonSchema, ...limits }),
    z.strictObject({ redirect: z.literal(redirectStatuses) }),
  ],
  cellForm,
);

/** Schema of {@link WrittenCells}. It refuses an unknown operation or error, and an acceptance that does not fit. */
export const cellsSchema: z.ZodType<WrittenCells> = z
  .record(
    z.string(),
    z.record(z.string(), writtenCellSchema, 'an object of errors'),
    'an object of operations',
  )
  .superRefine((written, context) => {
    for (const [endpoint, cells] of Object.entries(written)) {
      for (const [pattern, cell] of Object.entries(cells)) {
        const mistake = mistakeIn(endpoint, pattern, readCell(cell as WrittenCell));
        if (mistake === undefined) continue;
        const { expected: message, got: input = cell } = mistake;
        context.addIssue({ code: 'custom', path: [endpoint, pattern], message, input });
      }
    }
  }) as unknown as z.ZodType<WrittenCells>;

/** What is wrong with an entry: what was expected, and the wrong name, unless the value is wrong. */
function mistakeIn(endpoint: string, pattern: string, cell: Cell) {
  if (endpoint !== '*' && !(endpointNames as readonly string[]).includes(endpoint)) {
    return { expected: `an entry for one of ${endpointNames.join(', ')} or *`, got: endpoint };
  }
  const endpointPositions = positions.filter(
    (position) => endpoint === '*' || endpoint === position.endpoint,
  );
  const matches = endpointPositions.filter(({ error }) => patternsOf(error.id).includes(pattern));
  if (matches.length === 0) {
    const knownPatterns = new Set(endpointPositions.flatMap(({ error }) => patternsOf(error.id)));
    const nearest = orNearest(pattern, [...knownPatterns]);
    return { expected: `an entry for an error that the operation has${nearest}`, got: pattern };
  }
  // For all operations, it is a wildcard, which keeps the mock's limit.
  const isExact = endpoint !== '*' && matches.some(({ error }) => error.id === pattern);
  const isBounded = cell.above !== undefined && cell.below !== undefined;
  const hasLimit = matches.some(({ error }) => error.limitSteps !== undefined);
  if (isExact && hasLimit && isRefusal(cell) && !isBounded) {
    return { expected: 'also "above" and "below": a limit lies between them' };
  }
  if (matches.some((position) => fitsError(position, cell))) return undefined;
  const kinds = new Set(matches.flatMap(({ error }) => error.acceptances));
  const acceptances = kinds.size > 0 ? `, or one of ${[...kinds].join(', ')}` : '';
  return { expected: `a status from 400 to 599${acceptances}` };
}

/** A cell from a file. */
function readCell(cell: WrittenCell): Cell {
  if (typeof cell === 'number') return { status: cell };
  return typeof cell === 'string' ? { as: cell } : cell;
}

/** The cells of a file by their keys. */
export type Entries = ReadonlyMap<EntryKey, Cell>;

function readEntries(written: WrittenCells): Entries {
  const entries = new Map<EntryKey, Cell>();
  for (const [endpoint, cells] of Object.entries(written)) {
    for (const [pattern, cell] of Object.entries(cells)) {
      entries.set(keyOf(endpoint as Endpoint, pattern), readCell(cell));
    }
  }
  return entries;
}

/** Every cell of a dialect. What the file leaves out is as in the mock without a dialect. */
export function readCells(written: WrittenCells): Matrix {
  const entries = readEntries(written);
  return matrixOf((position) => entries.get(position.own) ?? byWildcards(entries, position));
}

/** What the wildcards say about a cell; what the mock does without a dialect, if none does. */
export function byWildcards(entries: Entries, position: CellPosition): Cell {
  const key = wildcardFor(entries, position);
  const cell = key && entries.get(key);
  return cell === undefined ? position.error.defaultCell : atDefaultLimit(cell, position);
}

/**
 * The wildcard that decides a cell. Wildcards say what a refusal looks like, not whether there is one: if the
 * mock accepts an error, only the error's own entry makes it refuse.
 */
function wildcardFor(entries: Entries, position: CellPosition): EntryKey | undefined {
  if (!isRefusal(position.error.defaultCell)) return undefined;
  return position.wildcards.find((key) => {
    const cell = entries.get(key);
    return cell !== undefined && fitsError(position, cell);
  });
}

/** A wildcard keeps the limit that the mock has. */
export function atDefaultLimit(cell: Cell, { error }: CellPosition): Cell {
  const { above, below } = error.defaultCell;
  if (above === undefined || below === undefined || !isRefusal(cell)) return cell;
  return { ...cell, above, below };
}

/** The entry of a file that decides a cell, such as `createStream.key:none` or `*.key:*`, if there is one. */
export function entryFor(written: WrittenCells, endpoint: Endpoint, error: string) {
  const position = positions.find(
    (place) => place.endpoint === endpoint && place.error.id === error,
  );
  if (position === undefined) return undefined;
  const entries = readEntries(written);
  const key = entries.has(position.own) ? position.own : wildcardFor(entries, position);
  return key && `${key.endpoint}.${key.pattern}`;
}

/** Whether no client can notice a cell because of other cells, for example if its operation is not offered. */
export function isMasked(endpoint: Endpoint, error: ErrorId, cellOf: CellOf): boolean {
  if (error !== 'operation:given' && !isOffered(endpoint, cellOf)) return true;
  if (error === 'body:unknown') {
    // A body with nothing but an unknown field is refused or kept for its field.
    const fieldCell = cellOf(endpoint, 'field:unknown:given');
    if (fieldCell !== undefined && !('as' in fieldCell && fieldCell.as === 'dropped')) return true;
  }
  if (error === 'id:deleted' && !isOffered('deleteStream', cellOf)) return true;
  return givenErrorsOf(error).some((givenError) => {
    const cell = givenError === error ? undefined : cellOf(endpoint, givenError);
    return cell !== undefined && !isKept(cell);
  });
}

/** Whether a service has an operation, as far as is known. */
export function isOffered(endpoint: Endpoint, cellOf: CellOf): boolean {
  const cell = cellOf(endpoint, 'operation:given');
  return cell === undefined || !isRefusal(cell);
}

/** The `given` errors of a field or parameter and of what contains it. Unless they are kept, its value has no effect. */
function givenErrorsOf(error: ErrorId): readonly ErrorId[] {
  const [subject, name = ''] = error.split(':');
  if (subject !== 'field' && subject !== 'query') return [];
  const names = name.startsWith('profiles[]') ? [name, 'profiles'] : [name];
  return names.map((one) => `${subject}:${one}:given`).filter(isErrorId);
}

/** The fields that a service keeps, by what it does about errors, with their names. */
export function keptFields(fields: Fields, cells: Cells): [string, Field][] {
  return [...fields].filter(
    ([, { presence }]) => presence?.kind !== 'given' || isKept(cells[presence.id]),
  );
}
