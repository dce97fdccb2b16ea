import { type Cell, convert, isBeyond, isRefusal } from '../../interface/dialect/cells.ts';
import type { ErrorId } from '../../interface/dialect/errors.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import type { Json } from '../../interface/json.ts';
import type { Problem } from '../messages/problem.ts';
import type { RefuseId } from '../state/find.ts';

/** A response to a request that is not carried out: as if it had been, or an empty list. */
export type EarlyResponse = 'done' | 'empty';

/** Thrown where a request gets a response without doing anything, although it is not refused. */
export class EarlyEnd extends Error {
  readonly response: EarlyResponse;

  constructor(response: EarlyResponse) {
    super(`the request ends early: ${response}`);
    this.response = response;
  }
}

/**
 * Accepts or refuses a request that has an error, as the service does. The decision is made here: what is thrown says how
 * the client is answered.
 * @throws Problem if the request is refused, EarlyEnd if it gets a response without doing anything
 */
export function acceptOrRefuse(cells: Cells, error: ErrorId, problem: () => Problem): void {
  accept(cells[error], problem);
}

/** Accepts a cell, as {@link acceptOrRefuse} does, and returns how it is accepted. */
function accept(cell: Cell, problem: () => Problem) {
  if (isRefusal(cell)) throw problem().refusedAs(cell);
  if (isAcceptedAs(cell, 'empty')) throw new EarlyEnd('empty');
  return cell;
}

function isAcceptedAs(cell: Cell, acceptance: EarlyResponse): boolean {
  return 'as' in cell && cell.as === acceptance;
}

/**
 * Accepts or refuses a value with an error. Returns the value to continue with; a dropped one is `undefined`.
 * @param measure what is compared with the limit of an error that counts only beyond one
 * @throws Problem and EarlyEnd as {@link acceptOrRefuse} does
 */
export function acceptValue(
  cells: Cells,
  error: ErrorId,
  value: Json,
  problem: () => Problem,
  measure?: number,
): Json | undefined {
  const cell = cells[error];
  if (measure !== undefined && !isBeyond(error, measure, cell)) return value;
  return convert(accept(cell, problem), value);
}

/**
 * Makes the function that refuses ids as the service does. Without a record, no other acceptance can be carried out, so it
 * refuses.
 * @param belongsToOtherKey whether an unknown id belongs to another API key
 */
export function refuseIdsBy(
  cells: Cells,
  belongsToOtherKey: (id: string) => boolean = () => false,
): RefuseId {
  return (error, id, problem) => {
    const isOfOtherKey = error === 'id:unknown' && belongsToOtherKey(id);
    const cell = accept(cells[isOfOtherKey ? 'id:other-key' : error], () => problem);
    throw isAcceptedAs(cell, 'done') ? new EarlyEnd('done') : problem;
  };
}
