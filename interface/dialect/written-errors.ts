import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { canonicalJson, isSameJson } from '../json.ts';
import {
  readCell,
  type WrittenCell,
  type WrittenRefusal,
  writeCell,
  writtenCellSchema,
  writtenRefusalSchema,
} from './cell-schemas.ts';
import { type Cell, isRefusal, type Refusal } from './cells.ts';
import {
  type Endpoint,
  type ErrorClass,
  type ErrorId,
  endpointNames,
  errorClasses,
  type RequestError,
} from './errors.ts';
import {
  atDefaultLimit,
  type CellOf,
  type CellPosition,
  fitsError,
  type Matrix,
  matrixOf,
  positions,
} from './matrix.ts';

/** The place in a file of the errors that all operations treat alike. */
const everyOperation = 'everyOperation';

/** Where a file writes what happens to an error: at its operation, unless all operations treat it alike. */
type Place = typeof everyOperation | Endpoint;

/** All places, in the order of a file. */
const places: readonly Place[] = [everyOperation, ...endpointNames];

/** The two parts of an id: what the error is about, such as `field:name` or `body`, and what is wrong with it. */
type PartsOf<Id extends ErrorId> =
  Id extends `${infer Subject extends 'field' | 'query'}:${infer Name}:${infer Kind}`
    ? { readonly subject: `${Subject}:${Name}`; readonly kind: Kind }
    : Id extends `${infer Subject}:${infer Kind}`
      ? { readonly subject: Subject; readonly kind: Kind }
      : never;

/** What an error is about: a field, a query parameter, the key, the body, and so on. */
type ErrorSubject = PartsOf<ErrorId>['subject'];

/** What can be wrong with a subject. */
type ErrorKind<Subject extends ErrorSubject> = Extract<
  PartsOf<ErrorId>,
  { readonly subject: Subject }
>['kind'];

/** What happens to each error: by operation, by what the error is about, and by what is wrong with it. */
export type WrittenErrors = {
  readonly [Operation in Place]?: {
    readonly [Subject in ErrorSubject]?: {
      readonly [Kind in ErrorKind<Subject>]?: WrittenCell;
    };
  };
};

/** What a refusal usually is, by the class of its error. */
export type WrittenRefusals = { readonly [Class in ErrorClass]?: WrittenRefusal };

/** What a dialect says about errors. */
export interface WrittenMatrix {
  readonly refusals?: WrittenRefusals;
  readonly errors?: WrittenErrors;
}

/** {@link WrittenErrors} for code that treats all entries in the same way. */
type Entries = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, WrittenCell>>>>>
>;

/** Where the entry of an error stands in a file. */
export function entryPath(endpoint: Endpoint, { id, isShared }: RequestError) {
  const [, subject = '', kind = ''] = /^((?:field|query):[^:]+|[^:]+):(.+)$/.exec(id) ?? [];
  const place: Place = isShared ? everyOperation : endpoint;
  return [place, subject, kind] as const;
}

/** Every cell of a dialect. What the file leaves out is as in the mock without a dialect. */
export function readErrors({ refusals = {}, errors = {} }: WrittenMatrix): Matrix {
  return matrixOf(({ endpoint, error }) => {
    const written = entryAt(errors as Entries, entryPath(endpoint, error));
    return written === undefined ? impliedCell(refusals, error) : readCell(written);
  });
}

function entryAt(errors: Entries, [place, subject, kind]: readonly [string, string, string]) {
  return errors[place]?.[subject]?.[kind];
}

/** What a cell is without an entry of its own: refused as usual if the mock refuses it, else as in the mock. */
function impliedCell(refusals: WrittenRefusals, error: RequestError): Cell {
  const usual = refusals[error.class];
  if (usual === undefined || !isRefusal(error.defaultCell)) return error.defaultCell;
  return atDefaultLimit(readCell(usual), error);
}

/** What decides a cell, as a name: its own entry, the usual refusal of its class, or `undefined` if neither is written. */
export function decidingEntry(written: WrittenMatrix, endpoint: Endpoint, id: ErrorId) {
  const position = positions.find((one) => one.endpoint === endpoint && one.error.id === id);
  if (position === undefined) return undefined;
  const { error } = position;
  const path = entryPath(endpoint, error);
  if (entryAt((written.errors ?? {}) as Entries, path) !== undefined) return entryName(...path);
  const isImplied = isRefusal(error.defaultCell) && written.refusals?.[error.class] !== undefined;
  return isImplied ? `refusals.${error.class}` : undefined;
}

/** The name of an entry: `errors.createStream.field:name:null`. */
function entryName(place: string, subject: string, kind: string): string {
  return `errors.${place}.${subject}:${kind}`;
}

/** The names of all entries, in the order of the file. */
export function errorEntryNames({ refusals = {}, errors = {} }: WrittenMatrix): string[] {
  const exact = Object.entries(errors as Entries).flatMap(([place, subjects]) =>
    Object.entries(subjects).flatMap(([subject, kinds]) =>
      Object.keys(kinds).map((kind) => entryName(place, subject, kind)),
    ),
  );
  return [...Object.keys(refusals).map((name) => `refusals.${name}`), ...exact];
}

/** What is known of cells, as a file says it: what a refusal usually is, and each cell that this does not say. */
export function writeErrors(cellOf: CellOf): Required<WrittenMatrix> {
  const refusals = usualRefusals(cellOf);
  return { refusals, errors: exactErrors(cellOf, refusals) };
}

/** The entries of all known cells that do not follow without them. */
export function exactErrors(cellOf: CellOf, refusals: WrittenRefusals): WrittenErrors {
  const errors: Record<string, Record<string, Record<string, WrittenCell>>> = {};
  for (const { endpoint, error, cell } of knownCells(cellOf)) {
    if (isSameJson(impliedCell(refusals, error), cell)) continue;
    const [place, subject, kind] = entryPath(endpoint, error);
    errors[place] ??= {};
    errors[place][subject] ??= {};
    errors[place][subject][kind] = writeCell(cell);
  }
  return Object.fromEntries(
    places.flatMap((place) => (errors[place] ? [[place, errors[place]]] : [])),
  );
}

/** The most frequent refusal of each class among the errors that the mock refuses; of equally many, the lowest status. */
function usualRefusals(cellOf: CellOf): WrittenRefusals {
  const counts = new Map<string, { errorClass: ErrorClass; refusal: Refusal; count: number }>();
  for (const { error, cell } of knownCells(cellOf)) {
    if (!isRefusal(cell) || !isRefusal(error.defaultCell)) continue;
    const { above: _, below: __, ...refusal } = cell;
    const name = canonicalJson([error.class, refusal]);
    const { count = 0 } = counts.get(name) ?? {};
    counts.set(name, { errorClass: error.class, refusal, count: count + 1 });
  }
  const byFrequency = [...counts.values()].toSorted(
    (left, right) => right.count - left.count || left.refusal.status - right.refusal.status,
  );
  const entries = errorClasses.flatMap((name) => {
    const usual = byFrequency.find(({ errorClass }) => errorClass === name);
    return usual === undefined ? [] : [[name, writeCell(usual.refusal)] as const];
  });
  return Object.fromEntries(entries);
}

/** The known cells in the order of the table. If all operations share an error, its first cell counts. */
function knownCells(cellOf: CellOf): readonly (CellPosition & { readonly cell: Cell })[] {
  const shared = new Set<ErrorId>();
  return positions.flatMap(({ endpoint, error }) => {
    const cell = shared.has(error.id) ? undefined : cellOf(endpoint, error.id);
    if (cell === undefined) return [];
    if (error.isShared) shared.add(error.id);
    return [{ endpoint, error, cell }];
  });
}

/** Schema of {@link WrittenRefusals}. */
export const refusalsSchema: z.ZodType<WrittenRefusals> = z.strictObject(
  Object.fromEntries(errorClasses.map((name) => [name, writtenRefusalSchema.exactOptional()])),
  `an object of refusals, by ${errorClasses.join(', ')}`,
);

/** Schema of {@link WrittenErrors}. It refuses an unknown operation or error, and an acceptance that does not fit. */
export const errorsSchema: z.ZodType<WrittenErrors> = z
  .record(
    z.string(),
    z.record(
      z.string(),
      z.record(z.string(), writtenCellSchema, 'an object of what can be wrong'),
      'an object of what errors are about',
    ),
    'an object of operations',
  )
  .superRefine((written, context) => {
    for (const [place, subjects] of Object.entries(written)) {
      for (const [subject, kinds] of Object.entries(subjects)) {
        for (const [kind, cell] of Object.entries(kinds)) {
          const mistake = mistakeIn(place, subject, kind, readCell(cell));
          if (mistake === undefined) continue;
          const { expected: message, got: input = cell } = mistake;
          context.addIssue({ code: 'custom', path: [place, subject, kind], message, input });
        }
      }
    }
  }) as unknown as z.ZodType<WrittenErrors>;

/** What is wrong with an entry: what was expected, and the wrong name, unless the value is wrong. */
function mistakeIn(place: string, subject: string, kind: string, cell: Cell) {
  if (!places.some((known) => known === place)) {
    return {
      expected: `an entry for one of ${places.join(', ')}${orNearest(place, places)}`,
      got: place,
    };
  }
  const error = errorAt(place, subject, kind);
  if (error === undefined) return mistakeInName(place, subject, kind);
  const isBounded = cell.above !== undefined && cell.below !== undefined;
  if (error.limitSteps !== undefined && isRefusal(cell) && !isBounded) {
    return { expected: 'also "above" and "below": a limit lies between them' };
  }
  if (fitsError(error, cell)) return undefined;
  const { acceptances } = error;
  const words = acceptances.length > 0 ? `, or one of ${acceptances.join(', ')}` : '';
  return { expected: `a status from 400 to 599${words}` };
}

/** What is expected instead of an entry for an error that its place does not have. */
function mistakeInName(place: string, subject: string, kind: string) {
  const shared = errorAt(everyOperation, subject, kind);
  if (shared !== undefined) {
    return {
      expected: `an entry at ${everyOperation}, because all operations treat this error alike`,
      got: `${subject}:${kind}`,
    };
  }
  const known = positions.flatMap(({ endpoint, error }) =>
    entryPath(endpoint, error)[0] === place ? [error.id] : [],
  );
  const got = `${subject}:${kind}`;
  return { expected: `an error that ${place} has${orNearest(got, known)}`, got };
}

/** Each error by the name of its entry. */
const errorsByEntry: ReadonlyMap<string, RequestError> = new Map(
  positions.map(({ endpoint, error }) => [entryName(...entryPath(endpoint, error)), error]),
);

function errorAt(place: string, subject: string, kind: string): RequestError | undefined {
  return errorsByEntry.get(entryName(place, subject, kind));
}
