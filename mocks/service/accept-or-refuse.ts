import { type Cell, convert, isBeyond, isRefusal } from '../../interface/cells.ts';
import type { Behaviour } from '../../interface/dialect.ts';
import type { Endpoint } from '../../interface/errors.ts';
import { isSameJson, type Json } from '../../interface/json.ts';
import type { Problem } from '../messages/problem.ts';

/** An error in a request, as it is noticed. */
export interface NoticedError {
  /** Its id in the table of errors. */
  readonly error: string;
  /** What is compared with a limit, where it is an error only beyond one. */
  readonly measure?: number | undefined;
  /** What a client is told who is refused for it. */
  readonly problem: () => Problem;
}

/**
 * Accepts or refuses an error in a request, as the service does: returns the value with which to go on, `undefined`
 * where it is dropped.
 * @throws Problem where the request is refused, or answered without going on
 */
export function acceptOrRefuse(
  behaviour: Behaviour,
  endpoint: Endpoint,
  { error, measure, problem }: NoticedError,
  value: Json | undefined,
): Json | undefined {
  const accepted = accept(behaviour, endpoint, error, value, measure);
  if (accepted === undefined) throw problem();
  return accepted.value;
}

/** A value that is accepted although it has an error. */
export interface AcceptedValue {
  /** The value to go on with; `undefined` where it is dropped. */
  readonly value: Json | undefined;
}

/** As {@link acceptOrRefuse}; `undefined` where the request is refused. */
export function accept(
  behaviour: Behaviour,
  endpoint: Endpoint,
  error: string,
  value: Json | undefined,
  measure?: number,
): AcceptedValue | undefined {
  const cell = cellOf(behaviour, endpoint, error);
  if (cell === undefined) return undefined;
  if (measure !== undefined && !isBeyond(error, measure, cell)) return { value };
  if (isRefusal(cell) || isAnswer(error, cell)) return undefined;
  return { value: convert(cell, value) };
}

/** Whether a cell is an answer of its own, after which nothing more is done. */
function isAnswer(error: string, cell: Cell): boolean {
  if ('redirect' in cell) return true;
  return 'as' in cell && (cell.as === 'empty' || (cell.as === 'done' && error.startsWith('id:')));
}

/** The cell of an error, or of the nearest one that has a cell; `undefined` where there is none. */
export function cellOf(
  { refusals }: Behaviour,
  endpoint: Endpoint,
  error: string,
): Cell | undefined {
  const cell = refusals[endpoint].get(error);
  if (cell !== undefined) return cell;
  // What reads a body and has no cells, such as the control API, is accepted as a creation.
  if (error.startsWith('body:')) return refusals.createStream.get(error);
  if (!error.startsWith('id:')) return undefined;
  // Only reading operations are asked with an id that cannot be decoded: it is accepted as theirs, unless the
  // operation has a cell of its own for malformed ids.
  const reading = refusals.retrieveStream;
  const own = refusals[endpoint].get('id:malformed');
  const isOwn = own !== undefined && !isSameJson(own, reading.get('id:malformed'));
  return isOwn || !/^id:(percent|nul)$/.test(error) ? own : reading.get(error);
}
