import { type Cell, convert, isBeyond, isRefusal } from '../../interface/dialect/cells.ts';
import type { Endpoint, ErrorId } from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import type { Json } from '../../interface/json.ts';
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
  const { error } = problem;
  if (error === undefined || acceptValue(site, error, undefined) === undefined) throw problem;
}

/**
 * Accepts or refuses a value with an error. Returns `{ value }` to continue with, in which a dropped value is
 * `undefined`; or `undefined` if the request is refused.
 * @param measure what is compared with the limit of an error that counts only beyond one
 */
export function acceptValue(
  site: ErrorSite,
  error: ErrorId,
  value: Json | undefined,
  measure?: number,
): { value: Json | undefined } | undefined {
  const cell = cellOf(site, error);
  if (measure !== undefined && !isBeyond(error, measure, cell)) return { value };
  if (isRefusal(cell) || isResponse(error, cell)) return undefined;
  return { value: convert(cell, value) };
}

/** Whether a cell is itself the response, so that nothing more is done. */
function isResponse(error: ErrorId, cell: Cell): boolean {
  if ('redirect' in cell) return true;
  return 'as' in cell && (cell.as === 'empty' || (cell.as === 'done' && error.startsWith('id:')));
}

/** What the service does about an error. */
export function cellOf({ dialect, endpoint }: ErrorSite, error: ErrorId): Cell {
  return dialect.cells[endpoint][error];
}
