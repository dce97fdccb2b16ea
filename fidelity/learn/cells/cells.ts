import { inParallel } from '../../../conformance/run/parallel.ts';
import { type Cell, isRefusal } from '../../../interface/cells.ts';
import {
  type Asked,
  askedNames,
  errorsOf,
  isShared,
  type RequestError,
} from '../../../interface/errors.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { isHidden } from '../../../interface/refusals.ts';
import type { Asker, Observation } from '../asking/asking.ts';
import type { CellOf } from './orders.ts';
import { probeCell } from './probe.ts';

/** What was observed of each cell, by what is asked for and the error. */
export type ObservedCells = Map<string, Observation<Cell>>;

/** The name of a cell, by which it is observed. */
export function cellName(asked: Asked, error: string): string {
  return `${asked} ${error}`;
}

/** What is known of a cell. */
export function knownCells(observed: ReadonlyMap<string, Observation>): CellOf {
  return (asked, error) => {
    const found = observed.get(cellName(asked, error));
    return found?.outcome === 'observed' ? (found.value as Cell) : undefined;
  };
}

/** One cell that is asked for. */
interface Place {
  readonly asked: Asked;
  readonly error: RequestError;
}

/** Probes at work at once; each sends one request after the other. */
const atOnce = 8;

/** Which cells are asked for together. */
type Round = (place: Place) => boolean;

/**
 * When cells are asked for, in rounds: those that decide whether others show come first. Queries are asked
 * for while nothing is created, and last of all what may spoil each list that shows it.
 */
const rounds: Readonly<Record<'first' | 'reading' | 'last', readonly Round[]>> = {
  first: [
    ({ error }) => error.id === 'operation:given',
    ({ error }) => /^field:[^[]*:given$/.test(error.id),
    ({ error }) => /^field:.*\[.*:given$/.test(error.id),
    ({ error }) =>
      error.class !== 'query' && !/^(operation:given|field:.*:given|body:deep)$/.test(error.id),
  ],
  reading: [
    ({ error }) => /^query:.*:given$/.test(error.id),
    ({ error }) => error.class === 'query' && !error.id.endsWith(':given'),
  ],
  last: [({ error }) => error.id === 'body:deep'],
};

/** Asks for the cells of one time that a client can notice; `onCell` is called with what each is of. */
export async function askCells(
  time: keyof typeof rounds,
  asker: Asker,
  observed: ObservedCells,
  onCell: (asked: Asked) => void,
): Promise<void> {
  const cellOf = knownCells(observed);
  for (const isInRound of rounds[time]) {
    const places = allPlaces.filter(
      (place) =>
        isInRound(place) &&
        isAsked(place, cellOf) &&
        !isHidden(place.asked, place.error.id, cellOf),
    );
    await inParallel(places, atOnce, async ({ asked, error }) => {
      observed.set(cellName(asked, error.id), await asker.observe(probeCell(asked, error)));
      onCell(asked);
    });
  }
}

const allPlaces: readonly Place[] = askedNames.flatMap((asked) =>
  errorsOf[asked].map((error) => ({ asked, error })),
);

/** How many cells are asked for, of a service that has every operation. */
export const cellCount: number = allPlaces.filter((place) =>
  isAsked(place, () => ({ as: 'kept' })),
).length;

/**
 * What is the same for all operations is asked of one that reads, and so are wrong keys: some services lock
 * out who tries many.
 */
function isAsked({ asked, error }: Place, cellOf: CellOf): boolean {
  // A path that is unknown as well says the same with any key.
  if (asked === 'unknownRoute') return error.class === 'route';
  // No request that writes may hold an id that is no plain text.
  if (/^id:(percent|nul)$/.test(error.id)) return interfaceOperations[asked].method === 'GET';
  if (error.class === 'key') return asked === readingOperation(cellOf);
  // What is refused of a live stream is another set of profiles.
  if (asked === 'updateStream' && error.class === 'state')
    return isKept(cellOf(asked, 'field:profiles:given'));
  return !isShared(error.id) || asked === 'listSessionsOfStream';
}

function isKept(cell: Cell | undefined): boolean {
  return cell !== undefined && 'as' in cell && cell.as === 'kept';
}

/** The operation to which wrong keys go. */
function readingOperation(cellOf: CellOf): Asked {
  const offered = cellOf('listStreams', 'operation:given');
  return offered === undefined || isRefusal(offered) ? 'listSessionsOfStream' : 'listStreams';
}

/** Gives a wrong key's cell to the operations of which it was not asked: that of the one that was. */
export function followWrongKey(observed: ObservedCells): void {
  const name = (asked: Asked): string => cellName(asked, 'key:wrong');
  const found = observed.get(name(readingOperation(knownCells(observed))));
  if (found === undefined) return;
  for (const asked of askedNames) if (!observed.has(name(asked))) observed.set(name(asked), found);
}
