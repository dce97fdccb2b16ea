import { isSameJson } from '../json.ts';
import { behaviourIds } from './behaviours.ts';
import { type AnyDialect, currentDialect, type StaticRoute } from './dialect.ts';
import { type Endpoint, type ErrorId, endpointNames, errorsOf } from './errors.ts';
import { positions } from './matrix.ts';
import { type ResolvedDialect, resolveDialect } from './resolve.ts';
import { decidingEntry, errorEntryNames } from './written-errors.ts';

/** The names of what differs between two dialects: `errors.createStream.key:none`, `orders.reported`, `behaviours.list.next`. */
export function differences(left: AnyDialect | undefined, right: AnyDialect | undefined): string[] {
  const leftMap = statementsOf(resolveDialect(left));
  const rightMap = statementsOf(resolveDialect(right));
  const names = new Set([...leftMap.keys(), ...rightMap.keys()]);
  return [...names].filter((name) => !isSameJson(leftMap.get(name), rightMap.get(name)));
}

/** Everything that a service does, by its name in a dialect. */
export function statementsOf(resolved: ResolvedDialect): ReadonlyMap<string, unknown> {
  const { refusalBody, orders, behaviours, routes } = resolved;
  const cells = endpointNames.flatMap((endpoint) =>
    errorsOf[endpoint].map(
      ({ id }) => [cellName(endpoint, id), resolved.cells[endpoint][id]] as const,
    ),
  );
  return new Map<string, unknown>([
    ['refusalBody', refusalBody],
    ...cells,
    ...Object.entries(orders).map(([name, order]) => [`orders.${name}`, order] as const),
    ...behaviourIds.map((id) => [`behaviours.${id}`, behaviours[id]] as const),
    ...routes.map((route) => [routeName(route), route] as const),
  ]);
}

/** The name of a cell: `errors.createStream.key:none`. */
export function cellName(endpoint: Endpoint, error: ErrorId): string {
  return `errors.${endpoint}.${error}`;
}

/** The name of a route in a dialect: `routes.GET /user/me`. */
export function routeName({ method, path }: Pick<StaticRoute, 'method' | 'path'>): string {
  return `routes.${method} ${path}`;
}

/** The entries of a dialect by the names of what they are about. A usual refusal is about several cells. */
export function entriesByName(given: AnyDialect): ReadonlyMap<string, string> {
  const dialect = currentDialect(given);
  const cellEntries = positions.flatMap(({ endpoint, error }) => {
    const entry = decidingEntry(dialect, endpoint, error.id);
    return entry === undefined ? [] : [[cellName(endpoint, error.id), entry] as const];
  });
  return new Map([...entryNames(dialect).map((name) => [name, name] as const), ...cellEntries]);
}

/** The names of all entries of a dialect, in the order of the file. */
function entryNames(given: AnyDialect): string[] {
  const dialect = currentDialect(given);
  const { orders = {}, behaviours = {}, routes = [] } = dialect;
  return [
    ...errorEntryNames(dialect),
    ...Object.keys(orders).map((name) => `orders.${name}`),
    ...Object.keys(behaviours).map((id) => `behaviours.${id}`),
    ...routes.map(routeName),
  ];
}
