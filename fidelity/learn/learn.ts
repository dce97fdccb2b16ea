import { inParallel } from '../../conformance/run/parallel.ts';
import { isRefusal } from '../../interface/cells.ts';
import {
  type Dialect,
  orderedDialect,
  usualManners,
  writeBehaviours,
} from '../../interface/dialect.ts';
import { type Asked, askedNames, errorsOf } from '../../interface/errors.ts';
import { canonicalJson } from '../../interface/json.ts';
import { usualOrders } from '../../interface/orders.ts';
import { writeRefusals } from '../../interface/refusals.ts';
import type { StaticRoute } from '../../interface/routes.ts';
import { hiddenBy, rowIds, rowOf } from '../../interface/silent.ts';
import { type AskedTarget, askTarget, type LearnOptions } from './ask-target.ts';
import {
  type Asker,
  type AskOptions,
  createAsker,
  type Observation,
  type Question,
} from './asking/asking.ts';
import { severalSessions } from './asking/sessions.ts';
import { severalStreams } from './asking/streams.ts';
import { probeRow, rows } from './behaviours/behaviours.ts';
import { cellCount, cellName, cellsIn, knownCells, probeCell } from './cells/cells.ts';
import { noteKeys, pairsOf, probeOrder, probeTold } from './cells/orders.ts';
import { usualFormOf, withoutForm } from './cells/refusals.ts';
import { askedRoutes } from './routes.ts';

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

/** Something to find out, by its name in a dialect: `refusals.createStream.key:none`. */
interface Entry {
  readonly name: string;
  /** What progress says of it. */
  readonly family: string;
  readonly question: Question<unknown>;
}

/** Probes at work at once; each sends one request after the other. */
const atOnce = 4;

/** Asks a service for everything. */
export async function observe(
  all: AskOptions,
  { onProgress, ...options }: LearnOptions,
): Promise<Observations> {
  const asker = createAsker(all);
  const observed = new Map<string, Observation>();
  const cellOf = knownCells(observed);
  const routes = askedRoutes(options);
  const total = cellCount + rowIds.length + askedNames.length + 1 + routes.length;
  let done = 0;
  const askAll = (...entries: readonly Entry[]): Promise<unknown> =>
    inParallel(entries, atOnce, async ({ name, family, question }) => {
      observed.set(name, await asker.observe(question));
      onProgress?.(++done, total, family);
    });
  const cells = (round: Parameters<typeof cellsIn>[0]): Entry[] =>
    cellsIn(round, observed).map(({ asked, error }) => ({
      name: cellName(asked, error.id),
      family: asked,
      question: probeCell({ asked, error }),
    }));
  const behaviours = (time: keyof typeof rows): Entry[] =>
    rows[time].map((id) => ({
      name: `behaviours.${id}`,
      family: id,
      question: probeRow(id),
    }));
  try {
    // What is waited for elsewhere follows from the delays that are seen here.
    await askAll(...behaviours('timed'));
    await askAll(...cells('operations'));
    await askAll(...cells('fields'));
    await askAll(...cells('profiles'));
    await askAll(...behaviours('others'), ...cells('others'));
    await prepareLists(asker, all);
    // Lists stay as they are while only lists are read.
    await askAll(...behaviours('lists'), ...cells('parameters'));
    await askAll(...cells('queries'));
    await askAll(...cells('depth'));
    const orders = askedNames.filter((asked) => pairsOf(asked, cellOf).length > 0);
    await askAll(
      ...orders.map((asked) => ({
        name: `orders.${asked}`,
        family: 'orders',
        question: probeOrder(asked, cellOf),
      })),
      { name: 'orders.told', family: 'orders', question: probeTold(cellOf) },
    );
    // One after the other: what one makes, others read and delete.
    for (const route of routes) await askAll(route);
    noteKeys(observed);
    forgetHidden(observed);
    return observed;
  } finally {
    await asker.undo();
  }
}

/** Makes what lists are to show. */
async function prepareLists(asker: Asker, { connection }: AskOptions): Promise<void> {
  await asker.observe(({ ask }) => ask(severalSessions));
  if (!connection.readOnly) await asker.observe(({ ask }) => ask(severalStreams));
}

/** Forgets the rows that no client can notice beside the others. */
function forgetHidden(observed: Map<string, Observation>): void {
  const cellOf = knownCells(observed);
  const isRefused = (asked: Asked): boolean => {
    const cell = cellOf(asked, 'operation:given');
    return cell !== undefined && isRefusal(cell);
  };
  const hidden = rowIds.flatMap((id) => {
    const found = observed.get(`behaviours.${id}`);
    const others = found?.outcome === 'observed' ? hiddenBy(id, found.value) : [];
    return rowOf(id).needs?.some(isRefused) ? [...others, id] : others;
  });
  for (const id of hidden) observed.delete(`behaviours.${id}`);
  // A list that ignores record shows the same whatever its value is.
  const filter = cellOf('listSessionsOfStream', 'query:record:given');
  if (filter !== undefined && !('as' in filter && filter.as === 'kept')) {
    observed.delete('behaviours.list.record');
  }
}

/** The dialect that says what was observed, in its shortest form. */
export function toDialect(observed: Observations): Dialect {
  const seen = [...observed].flatMap(([name, one]) =>
    one.outcome === 'observed' ? [[name, one.value] as const] : [],
  );
  const usual = usualFormOf(seen.map(([, value]) => value)) ?? usualManners.usual;
  const known = new Map(seen.map(([name, value]) => [name, withoutForm(value, usual)]));
  const valuesOf = (part: string, names: readonly string[]): [string, unknown][] =>
    names.flatMap((name) => {
      const value = known.get(`${part}.${name}`);
      return value === undefined ? [] : [[name, value]];
    });
  const cells = askedNames.map((asked) => {
    const ids = errorsOf[asked].map(({ id }) => id);
    return [asked, Object.fromEntries(valuesOf(`refusals.${asked}`, ids))];
  });
  const orders = Object.entries(usualOrders).flatMap(([name, order]) =>
    valuesOf('orders', [name]).filter(([, value]) => canonicalJson(value) !== canonicalJson(order)),
  );
  const behaviours = rowIds.flatMap((id) => {
    const { each, default: usualValue } = rowOf(id);
    return valuesOf('behaviours', [id]).map(([name, value]) => [
      name,
      each ? { ...Object(usualValue), ...Object(value) } : value,
    ]);
  });
  const routes = seen.filter(([name]) => name.startsWith('routes.'));
  return orderedDialect({
    dialect: 2,
    usual,
    refusals: writeRefusals(Object.fromEntries(cells)),
    orders: Object.fromEntries(orders),
    behaviours: writeBehaviours(Object.fromEntries(behaviours)),
    routes: routes
      .flatMap(([, value]) => (value as StaticRoute | undefined) ?? [])
      .toSorted(byPath),
  });
}

/** A path with `{id}` comes after those that are more exact: the mock takes the first that fits. */
function byPath(one: StaticRoute, other: StaticRoute): number {
  return `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1;
}
