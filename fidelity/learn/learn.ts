import type { Cell } from '../../interface/cells.ts';
import {
  type Dialect,
  orderedDialect,
  usualManners,
  writeBehaviours,
} from '../../interface/dialect.ts';
import { type Asked, askedNames, type ErrorClass, errorsOf } from '../../interface/errors.ts';
import { canonicalJson } from '../../interface/json.ts';
import { type Orders, usualOrders } from '../../interface/orders.ts';
import { type Cells, writeRefusals } from '../../interface/refusals.ts';
import { type Behaviours, hiddenBy, type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import { type AskedTarget, askTarget, type LearnOptions, readAskOptions } from './ask-target.ts';
import { type Asker, type AskOptions, createAsker, type Observation } from './asking/asking.ts';
import { severalSessions } from './asking/sessions.ts';
import { severalStreams } from './asking/streams.ts';
import { usualFormOf, withoutForm } from './asking/usual-form.ts';
import { askRows, listRows, otherRows, timelineRows } from './behaviours/behaviours.ts';
import { askOrders } from './cells/ask-orders.ts';
import { askCells, cellCount, cellName, knownCells } from './cells/cells.ts';
import { askRoutes, foundRoutes, routesToAsk } from './routes.ts';

/** What was observed of each cell, order and row, by its name in a dialect: `refusals.createStream.key:none`. */
export type Observations = ReadonlyMap<string, Observation>;

/** What was learned of a service. */
export interface Learned extends Omit<AskedTarget<unknown>, 'found'> {
  readonly dialect: Dialect;
  readonly observed: Observations;
}

/**
 * Learns how a service does what the interface leaves open. It resolves whatever the service does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { found, ...rest } = await askTarget(options, (all) => observe(all, options));
  const observed = found ?? new Map<string, Observation>();
  return { dialect: toDialect(observed), observed, ...rest };
}

/** As {@link learn}, without asking first whether that is possible, and without cleaning up. */
export async function learnOnly(
  options: LearnOptions,
): Promise<Pick<Learned, 'dialect' | 'observed'>> {
  const observed = await observe(readAskOptions(options), options);
  return { dialect: toDialect(observed), observed };
}

/** Asks a service for everything. */
export async function observe(
  all: AskOptions,
  { onProgress, ...options }: LearnOptions,
): Promise<Observations> {
  const asker = createAsker(all);
  const total = cellCount + rowIds.length + askedNames.length + routesToAsk(options).length;
  let done = 0;
  const onOne = (family: string): void => onProgress?.(++done, total, family);
  const cells = new Map<string, Observation<Cell>>();
  const rows = new Map<RowId, Observation>();
  try {
    // What is waited for elsewhere follows from the delays that are seen here.
    await askRows(timelineRows, asker, rows, onOne);
    await Promise.all([
      askCells('first', asker, cells, onOne),
      askRows(otherRows, asker, rows, onOne),
    ]);
    await prepareLists(asker, all);
    // Lists stay as they are while only lists are read.
    await Promise.all([
      askCells('reading', asker, cells, onOne),
      askRows(listRows, asker, rows, onOne),
    ]);
    await askCells('last', asker, cells, onOne);
    const orders = await askOrders(asker, cells, onOne);
    // What they make shows in no list that is asked for.
    const routes = await askRoutes(asker, options, all.sent, jsonTypeIn(rows), onOne);
    return new Map([
      ...[...cells].map(([name, one]) => [`refusals.${name.replace(' ', '.')}`, one] as const),
      ...[...orders].map(([name, one]) => [`orders.${name}`, one] as const),
      ...[...withoutHidden(rows, cells)].map(([id, one]) => [`behaviours.${id}`, one] as const),
      ...routes,
    ]);
  } finally {
    await asker.undo();
  }
}

/** The content type of JSON, where it was observed. */
function jsonTypeIn(rows: ReadonlyMap<RowId, Observation>): string {
  const seen = rows.get('http.json-type');
  return seen?.outcome === 'observed' ? String(seen.value) : usualManners.rows['http.json-type'];
}

/** Makes what lists are to show. */
async function prepareLists(asker: Asker, { connection }: AskOptions): Promise<void> {
  await asker.observe(({ ask }) => ask(severalSessions));
  if (!connection.readOnly) await asker.observe(({ ask }) => ask(severalStreams));
}

/** The rows that a client can notice beside the others. */
function withoutHidden(
  rows: ReadonlyMap<RowId, Observation>,
  cells: ReadonlyMap<string, Observation<Cell>>,
): Map<RowId, Observation> {
  const cellOf = knownCells(cells);
  const hidden = new Set(
    [...rows].flatMap(([id, one]) => (one.outcome === 'observed' ? hiddenBy(id, one.value) : [])),
  );
  // A list that ignores record shows the same whatever its value is.
  const filter = cellOf('listSessionsOfStream', 'query:record:given');
  if (filter !== undefined && !('as' in filter && filter.as === 'kept')) hidden.add('list.record');
  const isOffered = (asked: Asked): boolean => {
    const cell = cellOf(asked, 'operation:given');
    return cell === undefined || !('status' in cell);
  };
  return new Map(
    rowIds.flatMap((id) => {
      const one = rows.get(id);
      const isShown = !hidden.has(id) && (rowOf(id).needs ?? []).every(isOffered);
      return one !== undefined && isShown ? [[id, one] as const] : [];
    }),
  );
}

/** The dialect that says what was observed, in its shortest form. */
export function toDialect(observed: Observations): Dialect {
  const values = [...observed].flatMap(([name, one]) =>
    one.outcome === 'observed' ? [[name, one.value] as const] : [],
  );
  const form = usualFormOf(values.map(([, value]) => value));
  const usual = form ?? usualManners.usual;
  const known = new Map(values.map(([name, value]) => [name, withoutForm(value, usual)]));
  return orderedDialect({
    dialect: 2,
    usual,
    refusals: writeRefusals(cellsIn(known)),
    orders: ordersIn(known),
    behaviours: writeBehaviours(
      Object.fromEntries(
        rowIds.flatMap((id) => {
          const value = known.get(`behaviours.${id}`);
          if (value === undefined) return [];
          const { each, default: usual } = rowOf(id);
          return [[id, each ? { ...Object(usual), ...Object(value) } : value]];
        }),
      ) as Partial<Behaviours>,
    ),
    routes: foundRoutes(observed),
  });
}

function cellsIn(known: ReadonlyMap<string, unknown>): Cells {
  const of = (asked: Asked): Record<string, Cell> =>
    Object.fromEntries(
      errorsOf[asked].flatMap(({ id }) => {
        const cell = known.get(`refusals.${cellName(asked, id).replace(' ', '.')}`);
        return cell === undefined ? [] : [[id, cell as Cell]];
      }),
    );
  return Object.fromEntries(askedNames.map((asked) => [asked, of(asked)]));
}

/** The orders that are not the mock's own. */
function ordersIn(known: ReadonlyMap<string, unknown>): Partial<Orders> {
  const names = [...askedNames, 'told'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const order = known.get(`orders.${name}`) as readonly ErrorClass[] | undefined;
      const isUsual = canonicalJson(order) === canonicalJson(usualOrders[name]);
      return order === undefined || isUsual ? [] : [[name, order]];
    }),
  ) as Partial<Orders>;
}
