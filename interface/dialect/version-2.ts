import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { readCell, type WrittenCell, writtenCellSchema } from './cell-schemas.ts';
import { type Cell, isRefusal } from './cells.ts';
import { type ErrorId, endpointNames } from './errors.ts';
import {
  atDefaultLimit,
  type CellPosition,
  fitsError,
  type Matrix,
  matrixOf,
  positions,
} from './matrix.ts';

/** Cells by endpoint and error; `"*"` stands for all of either, `field:*` for all fields. */
export type CellsVersion2 = Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>;

/** The patterns that an error matches: its own id, its kind in all fields, its first part, and all errors. */
function patternsOf(error: ErrorId): readonly string[] {
  const parts = error.split(':');
  const [subject = ''] = parts;
  const kind = subject === 'field' || subject === 'query' ? `:${parts.at(-1)}` : '';
  return [error, `${subject}:*${kind}`, `${subject}:*`, '*'];
}

/** Schema of {@link CellsVersion2}. It refuses an unknown operation or error, and an acceptance that does not fit. */
export const cellsVersion2Schema: z.ZodType<CellsVersion2> = z
  .record(
    z.string(),
    z.record(z.string(), writtenCellSchema, 'an object of errors'),
    'an object of operations',
  )
  .superRefine((written, context) => {
    for (const [endpoint, cells] of Object.entries(written)) {
      for (const [pattern, cell] of Object.entries(cells)) {
        const mistake = mistakeIn(endpoint, pattern, readCell(cell));
        if (mistake === undefined) continue;
        const { expected: message, got: input = cell } = mistake;
        context.addIssue({ code: 'custom', path: [endpoint, pattern], message, input });
      }
    }
  });

/** What is wrong with an entry: what was expected, and the wrong name, unless the value is wrong. */
function mistakeIn(endpoint: string, pattern: string, cell: Cell) {
  if (endpoint !== '*' && !endpointNames.some((name) => name === endpoint)) {
    return { expected: `an entry for one of ${endpointNames.join(', ')} or *`, got: endpoint };
  }
  const endpointErrors = positions
    .filter((position) => endpoint === '*' || endpoint === position.endpoint)
    .map(({ error }) => error);
  const matches = endpointErrors.filter(({ id }) => patternsOf(id).includes(pattern));
  if (matches.length === 0) {
    const knownPatterns = new Set(endpointErrors.flatMap(({ id }) => patternsOf(id)));
    const nearest = orNearest(pattern, [...knownPatterns]);
    return { expected: `an entry for an error that the operation has${nearest}`, got: pattern };
  }
  // For all operations, it is a wildcard, which keeps the mock's limit.
  const isExact = endpoint !== '*' && matches.some(({ id }) => id === pattern);
  const isBounded = cell.above !== undefined && cell.below !== undefined;
  const hasLimit = matches.some(({ limitSteps }) => limitSteps !== undefined);
  if (isExact && hasLimit && isRefusal(cell) && !isBounded) {
    return { expected: 'also "above" and "below": a limit lies between them' };
  }
  if (matches.some((error) => fitsError(error, cell))) return undefined;
  const kinds = new Set(matches.flatMap(({ acceptances }) => acceptances));
  const acceptances = kinds.size > 0 ? `, or one of ${[...kinds].join(', ')}` : '';
  return { expected: `a status from 400 to 599${acceptances}` };
}

/** Errors that nobody asked for when version 2 was written, so that no wildcard says that they are accepted. */
const laterErrors: ReadonlySet<ErrorId> = new Set<ErrorId>([
  'body:byte-order-mark:utf-16',
  'path:doubled-slash:inside',
  'id:child',
  'field:profiles[].fpsDen:large',
  'field:profiles[].quality:large',
]);

/** Every cell of a dialect in version 2. What it leaves out is as in the mock without a dialect. */
export function readCellsVersion2(written: CellsVersion2): Matrix {
  const entries = new Map(
    Object.entries(written).flatMap(([endpoint, cells]) =>
      Object.entries(cells).map(([pattern, cell]) => [`${endpoint}.${pattern}`, readCell(cell)]),
    ),
  );
  return matrixOf((position) => {
    const [own = '', ...wildcards] = keysOf(position);
    return entries.get(own) ?? byWildcards(entries, wildcards, position);
  });
}

/** The keys of the entries that stand for a cell: first its own, then the wildcards, the narrowest first. */
function keysOf({ endpoint, error }: CellPosition): string[] {
  const names = error.isShared ? ['*'] : [endpoint, '*'];
  return names.flatMap((name) => patternsOf(error.id).map((pattern) => `${name}.${pattern}`));
}

/**
 * What the narrowest wildcard says about a cell. Wildcards say what a refusal looks like, not whether there is one: if
 * the mock accepts an error, only the error's own entry makes it refuse.
 */
function byWildcards(
  entries: ReadonlyMap<string, Cell>,
  wildcards: readonly string[],
  { error }: CellPosition,
): Cell {
  if (!isRefusal(error.defaultCell)) return error.defaultCell;
  const cells = wildcards.flatMap((key) => entries.get(key) ?? []);
  const isLater = laterErrors.has(error.id);
  const cell = cells.find((one) => fitsError(error, one) && (isRefusal(one) || !isLater));
  return cell === undefined ? error.defaultCell : atDefaultLimit(cell, error);
}
