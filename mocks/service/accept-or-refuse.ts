import { type Cell, convert, isBeyond, isRefusal } from '../../interface/dialect/cells.ts';
import type { Endpoint } from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isSameJson, type Json } from '../../interface/json.ts';
import type { Problem } from '../messages/problem.ts';

/** What a request asks for, and how the service behaves towards its sender. */
export interface ErrorSite {
  readonly dialect: ResolvedDialect;
  readonly endpoint: Endpoint;
}

/**
 * Accepts or refuses a request that has an error, as the service does.
 * @throws the problem if the request is refused, or gets a response without doing anything
 */
export function acceptOrRefuse(site: ErrorSite, problem: Problem): void {
  if (acceptValue(site, problem.error ?? '', undefined) === undefined) throw problem;
}

/**
 * Accepts or refuses a value with an error. Returns `{ value }` to continue with, in which a dropped value is
 * `undefined`; or `undefined` if the request is refused.
 * @param measure what is compared with the limit of an error that counts only beyond one
 */
export function acceptValue(
  site: ErrorSite,
  error: string,
  value: Json | undefined,
  measure?: number,
): { value: Json | undefined } | undefined {
  const cell = cellOf(site, error);
  if (cell === undefined) return undefined;
  if (measure !== undefined && !isBeyond(error, measure, cell)) return { value };
  if (isRefusal(cell) || isResponse(error, cell)) return undefined;
  return { value: convert(cell, value) };
}

/** Whether a cell is itself the response, so that nothing more is done. */
function isResponse(error: string, cell: Cell): boolean {
  if ('redirect' in cell) return true;
  return 'as' in cell && (cell.as === 'empty' || (cell.as === 'done' && error.startsWith('id:')));
}

/** The cell of an error, or of the nearest one that has a cell; `undefined` if there is none. */
export function cellOf({ dialect, endpoint }: ErrorSite, error: string): Cell | undefined {
  const { refusals } = dialect;
  const cell = refusals[endpoint].get(error);
  if (cell !== undefined) return cell;
  // An endpoint without cells for bodies, such as the control API, uses those of createStream.
  if (error.startsWith('body:')) return refusals.createStream.get(error);
  if (!error.startsWith('id:')) return undefined;
  // `learn` sends ids that cannot be decoded only to reading operations. Others use the cell of retrieveStream, unless
  // they treat malformed ids differently.
  const reading = refusals.retrieveStream;
  const malformed = refusals[endpoint].get('id:malformed');
  const isSpecial = malformed !== undefined && !isSameJson(malformed, reading.get('id:malformed'));
  return isSpecial || !/^id:(percent|nul)$/.test(error) ? malformed : reading.get(error);
}
