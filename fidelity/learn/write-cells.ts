import { type Cell, isRefusal } from '../../interface/dialect/cells.ts';
import { endpointNames } from '../../interface/dialect/errors.ts';
import {
  atDefaultLimit,
  byWildcards,
  type CellOf,
  type CellPosition,
  type Entries,
  type EntryKey,
  fitsError,
  positions,
  type WrittenCell,
  type WrittenCells,
} from '../../interface/dialect/matrix.ts';
import { canonicalJson, isSameJson } from '../../interface/json.ts';

/** The keys of all wildcards, the widest first. Each error has up to seven: from `* *` to `createStream field:*:null`. */
const widestFirst = new Set(
  [-1, -2, -3, -4, -5, -6, -7].flatMap((level) =>
    positions.map((position) => position.wildcards.at(level)),
  ),
);

/** Every key in the order of the tables; within an endpoint, wildcards come first. */
const orderedKeys: readonly EntryKey[] = ['*', ...endpointNames].flatMap((endpoint) => {
  const keys = positions.flatMap(({ own, wildcards }) => [...wildcards.toReversed(), own]);
  const ofEndpoint = keys.filter((key) => key.endpoint === endpoint);
  const isWide = ({ pattern }: EntryKey): boolean => pattern.includes('*');
  return [...ofEndpoint.filter(isWide), ...ofEndpoint.filter((key) => !isWide(key))];
});

/** A cell that was observed. */
interface ObservedCell extends CellPosition {
  readonly cell: Cell;
  /** The same as a wildcard would say it: without its limit if that is the mock's own. */
  readonly asWildcard: Cell;
  /** The cell of a wildcard as canonical text. */
  readonly wildcardText: string;
}

/**
 * Writes cells in a short form, always the same for the same cells: first wildcards that save entries, from
 * the widest to the narrowest, then the cells that these get wrong. Unknown cells may be anything.
 */
export function writeCells(cellOf: CellOf): WrittenCells {
  const observed = observedIn(cellOf);
  const entries = new Map<EntryKey, Cell>();
  for (const key of widestFirst) {
    if (key === undefined) continue;
    const covered = observed.filter(
      (entry) => isRefusal(entry.error.defaultCell) && entry.wildcards.includes(key),
    );
    const best = bestCell(covered, entries);
    if (best !== undefined) entries.set(key, best);
  }
  for (const observation of observed) {
    if (!isWritten(observation, entries)) entries.set(observation.own, observation.cell);
  }
  const written: Record<string, Record<string, WrittenCell>> = {};
  for (const key of orderedKeys) {
    const cell = entries.get(key);
    if (cell === undefined) continue;
    const { endpoint, pattern } = key;
    written[endpoint] ??= {};
    written[endpoint][pattern] = writeCell(cell);
  }
  return written;
}

function observedIn(cellOf: CellOf): readonly ObservedCell[] {
  const observed = new Map<EntryKey, ObservedCell>();
  for (const position of positions) {
    const cell = cellOf(position.endpoint, position.error.id);
    // If all operations share an error, its first cell counts.
    if (cell === undefined || observed.has(position.own)) continue;
    const { above: _, below: __, ...plain } = cell;
    const isAtDefault = isSameJson(atDefaultLimit(plain as Cell, position), cell);
    const asWildcard = isAtDefault ? (plain as Cell) : cell;
    const wildcardText = canonicalJson(asWildcard);
    observed.set(position.own, { ...position, cell, asWildcard, wildcardText });
  }
  return [...observed.values()];
}

/** The cell with which a wildcard saves the most entries, given the wider ones; `undefined` if none saves any. */
function bestCell(covered: readonly ObservedCell[], wider: Entries): Cell | undefined {
  const correct = new Set(covered.filter((observation) => isWritten(observation, wider)));
  let best: Cell | undefined;
  let mostSaved = 1;
  const candidates = new Map(covered.map((entry) => [entry.wildcardText, entry.asWildcard]));
  for (const [text, cell] of candidates) {
    const decided = covered.filter((observation) => fitsError(observation, cell));
    const gained = decided.filter((observation) => observation.wildcardText === text).length;
    const saved = gained - decided.filter((observation) => correct.has(observation)).length;
    if (saved <= mostSaved) continue;
    mostSaved = saved;
    best = cell;
  }
  return best;
}

/** Whether an observed cell already follows from what is written. */
function isWritten(observation: ObservedCell, entries: Entries): boolean {
  return isSameJson(byWildcards(entries, observation), observation.cell);
}

/** A cell as it stands in a file. */
function writeCell(cell: Cell): WrittenCell {
  if (Object.keys(cell).length > 1) return cell;
  if (isRefusal(cell)) return cell.status;
  return 'as' in cell ? cell.as : cell;
}
