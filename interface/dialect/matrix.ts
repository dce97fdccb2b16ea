import { isSameJson } from '../json.ts';
import { type Cell, isKept, isRefusal } from './cells.ts';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  type ErrorId,
  endpointNames,
  errorsOf,
  fieldOfLiveUpdate,
  type RequestError,
} from './errors.ts';
import type { Field, Fields } from './fields.ts';

/** What is known of each cell; `undefined` if nothing is. */
export type CellOf = (endpoint: Endpoint, error: ErrorId) => Cell | undefined;

/** The cell of every error. An endpoint that cannot have an error has the cell that comes nearest. */
export type Cells = Readonly<Record<ErrorId, Cell>>;

/** The cell of every error, by endpoint. */
export type Matrix = ByEndpoint<Cells>;

/** A position in the matrix. */
export interface CellPosition {
  readonly endpoint: Endpoint;
  readonly error: RequestError;
}

/** All positions, in the order of the table. */
export const positions: readonly CellPosition[] = endpointNames.flatMap((endpoint) =>
  errorsOf[endpoint].map((error) => ({ endpoint, error })),
);

const errorIds: ReadonlySet<string> = new Set(positions.map(({ error }) => error.id));

/** Whether a text is the id of an error that some request can have. */
function isErrorId(text: string): text is ErrorId {
  return errorIds.has(text);
}

/** What the mock does about an error without a dialect, in the first endpoint that has it. */
const defaultCells = Object.fromEntries(
  positions.toReversed().map(({ error }) => [error.id, error.defaultCell]),
) as Cells;

/** The matrix with a cell for each position. Errors that an endpoint cannot have get the cell that comes nearest. */
export function matrixOf(cellOf: (position: CellPosition) => Cell): Matrix {
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

/**
 * What else reads a body does it as createStream, because a service usually has one parser: other writes where an error
 * is only one of createStream, such as a form, and paths that the service does not know.
 */
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
export function fitsError({ acceptances }: RequestError, cell: Cell): boolean {
  if (isRefusal(cell)) return true;
  const kind = 'constant' in cell ? 'constant' : 'redirect' in cell ? 'redirect' : cell.as;
  return acceptances.includes(kind);
}

/** A cell that stands for several errors, as it counts for one of them: with the limit that the mock has. */
export function atDefaultLimit(cell: Cell, { defaultCell }: RequestError): Cell {
  const { above, below } = defaultCell;
  if (above === undefined || below === undefined || !isRefusal(cell)) return cell;
  return { ...cell, above, below };
}

/** Other cells that may hide the cell of an error, and what they hide it with. */
interface Mask {
  hidingCells(endpoint: Endpoint, error: ErrorId): readonly (readonly [Endpoint, ErrorId])[];
  isHidden(by: Cell): boolean;
}

/** Why no client can notice some cells because of others. */
const masks = {
  /** An operation that is not offered shows nothing else. */
  operation: {
    hidingCells: (endpoint, error) =>
      error === 'operation:given' ? [] : [[endpoint, 'operation:given']],
    isHidden: isRefusal,
  },
  /** Where nothing can be deleted, no id is that of a deleted stream. */
  deletion: {
    hidingCells: (_, error) =>
      error === 'id:deleted' ? [['deleteStream', 'operation:given']] : [],
    isHidden: isRefusal,
  },
  /** A body with nothing but an unknown field is refused or kept for its field. */
  unknownField: {
    hidingCells: (endpoint, error) =>
      error === 'body:unknown' ? [[endpoint, 'field:unknown:given']] : [],
    isHidden: (by) => !isSameJson(by, { as: 'dropped' }),
  },
  /** The value of a field or parameter that is not kept has no effect. */
  given: {
    hidingCells: (endpoint, error) =>
      givenErrorsOf(error).flatMap((given) => (given === error ? [] : [[endpoint, given]])),
    isHidden: (by) => !isKept(by),
  },
  /** A text that is longer than a limit is an unusual one. */
  longText: {
    hidingCells: (endpoint, error) =>
      error.endsWith(':large')
        ? [error.replace(/large$/, 'unusual')].filter(isErrorId).map((id) => [endpoint, id])
        : [],
    isHidden: (by) => !isKept(by),
  },
  /** A limit that is refused is refused as well if it comes twice. */
  repeated: {
    hidingCells: (endpoint, error) =>
      error === 'query:repeated' ? [[endpoint, 'query:limit:given']] : [],
    isHidden: isRefusal,
  },
  /** Names of many profiles are unusual ones. */
  manyProfiles: {
    hidingCells: (endpoint, error) =>
      error === 'field:profiles:large' ? [[endpoint, 'field:profiles[].name:unusual']] : [],
    isHidden: (by) => !isKept(by),
  },
  /** A field that no update keeps has no effect while the stream is live, either. */
  liveUpdate: {
    hidingCells: (endpoint, error) =>
      [`field:${fieldOfLiveUpdate(error)}:given`].filter(isErrorId).map((id) => [endpoint, id]),
    isHidden: (by) => !isKept(by),
  },
} as const satisfies Record<string, Mask>;

/** Whether no client can notice a cell because of what is known of other cells. */
export function isMasked(endpoint: Endpoint, error: ErrorId, cellOf: CellOf): boolean {
  return Object.values<Mask>(masks).some(({ hidingCells, isHidden }) =>
    hidingCells(endpoint, error).some((hidingCell) => {
      const cell = cellOf(...hidingCell);
      return cell !== undefined && isHidden(cell);
    }),
  );
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
