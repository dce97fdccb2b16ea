import { createRandom, type Random } from '../../fixtures/random.ts';
import {
  type BehaviourId,
  type Behaviours,
  behaviourIds,
  defaultBehaviours,
  definitionOf,
  preflightAsOptions,
} from '../../interface/dialect/behaviours.ts';
import {
  type AcceptanceKind,
  type AcceptedAs,
  type Cell,
  convert,
  isKept,
  isRefusal,
  type LimitBounds,
  type Refusal,
  type RefusalBody,
} from '../../interface/dialect/cells.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import {
  byEndpoint,
  type Endpoint,
  type ErrorClass,
  type ErrorId,
  endpointNames,
  errorsOf,
  type RequestError,
} from '../../interface/dialect/errors.ts';
import { type CellOf, isOffered } from '../../interface/dialect/matrix.ts';
import {
  classesOf,
  defaultOrders,
  type Orders,
  ordersSchema,
} from '../../interface/dialect/orders.ts';
import { type ResolvedDialect, resolveDialect } from '../../interface/dialect/resolve.ts';
import { samplesOf } from '../../interface/dialect/samples.test-support.ts';
import { cellName, statementsOf } from '../../interface/dialect/statements.ts';
import { writeErrors } from '../../interface/dialect/written-errors.ts';
import { canonicalJson, isSameJson } from '../../interface/json.ts';
import { readingOperation, seenRefusal } from './cells/probe-cells.ts';
import { findOrder, oneErrorOfEachClass, type Refused } from './cells/probe-orders.ts';
import { mockToLearn } from './learn.test-support.ts';
import { learn } from './learn.ts';
import type { Observation, Observations } from './probing/prober.ts';
import { orderedDialect, toDialect, writeBehaviours } from './write-dialect.ts';

const coded = { code: 'REFUSED_SO', title: '{message}' };
/** Refusals that a client can tell from the usual ones. */
const otherRefusals: readonly Cell[] = [
  { status: 418, body: 'empty' },
  { status: 409 },
  { status: 400, body: { type: 'text/plain' } },
  { status: 501, body: { type: 'application/problem+json', json: coded } },
];

const usualForms: readonly (RefusalBody | undefined)[] = [
  undefined,
  'empty',
  { type: 'application/problem+json', json: { title: '{message}', status: '{status}' } },
  { type: 'text/plain' },
];

/** Every value of a cell that a client can tell from the others: refusals, and what is accepted. */
export function valuesOf(
  endpoint: Endpoint,
  error: RequestError,
): { refused: Cell[]; accepted: Cell[] } {
  const usual = error.defaultCell;
  const refusals = isRefusal(usual) ? [usual, ...otherRefusals] : otherRefusals;
  // A client cannot tell whether a limit cut a value or replaced it.
  const possible = error.acceptances.filter(
    (word) => word !== 'constant' || error.limitSteps === undefined,
  );
  const words = possible.filter((word, index, all) => isDistinct(word, all.slice(0, index), error));
  const accepted = words.map((word) => cellFor(word, error));
  const [plain] = words;
  // Every service lists recorded sessions.
  const isStated = endpoint === 'listSessionsOfStream' && error.id === 'query:record:given';
  return {
    refused: isStated ? [] : refusals.map((cell) => withBounds(cell, error)),
    accepted: accepted.map((cell, index) =>
      words[index] === plain ? cell : withBounds(cell, error),
    ),
  };
}

/** Whether a client can tell a word from those before it. */
function isDistinct(
  word: AcceptanceKind,
  before: readonly AcceptanceKind[],
  error: RequestError,
): boolean {
  const shows = (one: AcceptanceKind): string =>
    canonicalJson(
      error.flaws.map((flaw) =>
        'field' in flaw ? (convert(cellFor(one, error) as never, flaw.value) ?? null) : one,
      ),
    );
  return !before.some((other) => shows(other) === shows(word));
}

function cellFor(word: AcceptanceKind, { id }: RequestError): Cell {
  if (word === 'redirect') return { redirect: 307 };
  if (word !== 'constant') return { as: word as AcceptedAs };
  const isText = /(name|gop|profile|encoder):/.test(id);
  return { constant: isText ? 'constant' : 77 };
}

/** A cell of a limit, with two neighbours of its steps. */
function withBounds(cell: Cell, { id, limitSteps }: RequestError): Cell {
  if (limitSteps === undefined || 'above' in cell) return cell;
  const place = Math.floor(limitSteps.length / 2) - 1;
  const steps = limitSteps.slice(place, place + 2);
  const [above = 0, below = 0] = id.endsWith(':small') ? steps.toReversed() : steps;
  return { ...cell, above, below };
}

/** Whether the cell of an error decides whether others show. */
function isGate({ id }: RequestError): boolean {
  return id === 'operation:given' || /^(field|query):.*:given$/.test(id);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const placed = items.map((item) => ({ item, place: random.integer(0, 1_000_000_000) }));
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}

/** A random value for each dialect, with each value at least once. */
function spread<Value>(values: readonly Value[], count: number, random: Random): Value[] {
  const rounds = Array.from({ length: Math.ceil(count / values.length) }, () =>
    shuffled(values, random),
  );
  return rounds.flat().slice(0, count);
}

/** The cell of an error in each dialect. */
function cellsOf(endpoint: Endpoint, error: RequestError, count: number, random: Random): Cell[] {
  const { refused, accepted } = valuesOf(endpoint, error);
  if (!isGate(error)) return spread([...refused, ...accepted], count, random);
  // A missing operation or field hides many cells, so most dialects have it.
  const all = [...accepted, ...refused];
  const more = Array.from({ length: count - all.length }, () => all[0] as Cell);
  return shuffled([...all, ...more], random);
}

type ChangeableCells = Record<Endpoint, Record<string, Cell>>;

/** Random dialects in which each value of each cell and behaviour occurs at least once. */
export function coveringDialects(seed: string, count: number): Dialect[] {
  const random = createRandom(seed);
  const values = behaviourIds.map((id) => [id, spread(samplesOf(id), count, random)] as const);
  const cells = endpointNames.flatMap((endpoint) =>
    errorsOf[endpoint].map((error) => ({
      endpoint,
      error,
      all: cellsOf(endpoint, error, count, random),
    })),
  );
  return Array.from({ length: count }, (_, index) => {
    const behaviours = possibleBehaviours(new Map(values.map(([id, all]) => [id, all[index]])));
    const written = byEndpoint((): Record<string, Cell> => ({})) as ChangeableCells;
    for (const { endpoint, error, all } of cells) written[endpoint][error.id] = all[index] as Cell;
    makeShowable(written, behaviours);
    const sizes = possibleSizes(written, behaviours);
    const refusalBody = usualForms[index % usualForms.length];
    return orderedDialect({
      dialect: 3,
      ...(refusalBody !== undefined && { refusalBody }),
      ...writeErrors((endpoint, error) => written[endpoint][error]),
      orders: ordersAt(index, random),
      behaviours: writeBehaviours({ ...behaviours, 'list.page-size': sizes }),
    });
  });
}

/** Replaces cells that nobody could notice because of the others. */
function makeShowable(cells: ChangeableCells, behaviours: Partial<Behaviours>): void {
  // Wrong keys are tried with one operation.
  for (const endpoint of endpointNames) {
    cells[endpoint]['key:wrong'] = cells.createStream['key:wrong'] as Cell;
  }
  // A request that needs no key is answered to every page.
  if (typeof behaviours['cors.origins']?.requests === 'object') {
    cells.listSessionsOfStream['key:none'] = { status: 401 };
  }
  const cellOf: CellOf = (endpoint, error) => cells[endpoint][error];
  const isListed = isOffered('listStreams', cellOf);
  cells.unknownRoute['key:none'] = cells[readingOperation(cellOf)]['key:none'] as Cell;
  // If nothing shows a stream, or only a late page does, nobody can tell what became of its fields.
  const { 'list.page-size': size, 'list.order': order } = { ...defaultBehaviours, ...behaviours };
  if (!isListed || Number(size.listStreams) < 100 || order.listStreams !== 'newest-first') {
    cells.retrieveStream['operation:given'] = { as: 'accepted' };
  }
  // A session whose name is always null does not show that it was changed.
  const isCarriedOut = isSameJson(cells.updateStream['id:session'], { as: 'carried-out' });
  if (isCarriedOut && behaviours['session.further-keys']?.['name'] === null) {
    cells.updateStream['id:session'] = { as: 'done' };
  }
  keepSomeField(cells.updateStream);
  // Another place shows which keys a session has at one place only.
  if (!isOffered('listSessions', cellOf)) {
    cells.retrieveSession['operation:given'] = { as: 'accepted' };
  }
  if (behaviours['list.record']?.absent === 'recorded') {
    cells.listSessionsOfStream['query:record:given'] = { as: 'kept' };
  }
  // A list that always needs the parameter shows only recorded sessions.
  if (behaviours['sessions.appear']?.recordedOnly !== 'at-start') {
    cells.listSessionsOfStream['query:record:missing'] = kept;
  }
  if (behaviours['stream.record'] !== 'shown') readRecordAsBoolean(cells);
}

/** If no stream shows its record, nobody can tell whether a value that is no boolean was kept. */
function readRecordAsBoolean(cells: ChangeableCells): void {
  for (const own of Object.values(cells)) {
    for (const [error, cell] of Object.entries(own)) {
      const isUnseen = /^field:record:(?!given|missing)/.test(error) && isSameJson(cell, kept);
      if (isUnseen) own[error] = { as: 'boolean' };
    }
  }
}

/** A list without a limit whose pages are long cannot be told from one without pages. */
function possibleSizes(
  cells: ChangeableCells,
  { 'list.page-size': written }: Partial<Behaviours>,
): Behaviours['list.page-size'] {
  const sizes = { ...defaultBehaviours['list.page-size'], ...written };
  const entries = Object.entries(sizes).map(([list, size]) => {
    const isShort = size !== 'all' && size < 100;
    const hasLimit = isKept(cells[list as Endpoint]['query:limit:given']);
    return [list, isShort ? size : hasLimit ? 100 : 'all'];
  });
  return Object.fromEntries(entries);
}

/** Every service keeps some field of an update. */
function keepSomeField(updateStream: Record<string, Cell>): void {
  const fields = ['name', 'profiles', 'suspended'].map((name) => `field:${name}:given`);
  if (!fields.some((error) => isKept(updateStream[error]))) updateStream['field:name:given'] = kept;
}

const kept: Cell = { as: 'kept' };

function ordersAt(index: number, random: Random): Partial<Orders> {
  if (index === 0) return {};
  const orders = endpointNames.flatMap((endpoint) => {
    let order: ErrorClass[];
    const isLegal = (): boolean => ordersSchema.safeParse({ [endpoint]: order }).success;
    do order = shuffled(classesOf(endpoint), random);
    while (!isLegal());
    return isSameJson(order, defaultOrders[endpoint]) ? [] : [[endpoint, order] as const];
  });
  return { ...Object.fromEntries(orders), ...(index % 2 === 1 && { reported: 'first' }) };
}

/** Completes behaviours, without those that nobody could notice because of the others. */
function possibleBehaviours(behaviours: Map<BehaviourId, unknown>): Partial<Behaviours> {
  for (const [id, value] of behaviours) {
    const { defaultValue, isNamed } = definitionOf(id);
    if (isNamed) behaviours.set(id, { ...Object(defaultValue), ...Object(value) });
  }
  const setDefault = (id: BehaviourId): void =>
    void behaviours.set(id, definitionOf(id).defaultValue);
  // If a recording is ready at once, nobody can tell when else it was listed.
  if (behaviours.get('time.ready') === 0) setDefault('sessions.appear');
  const { listSessionsOfStream } = Object(behaviours.get('sessions.appear'));
  const isAtOnce = behaviours.get('time.ready') === 0 || listSessionsOfStream === 'when-ready';
  if (isAtOnce) setDefault('time.listed');
  // A preflight that allows nothing is answered as any other OPTIONS.
  const { preflights } = Object(behaviours.get('cors.origins'));
  if (preflights === 'none') setDefault('http.options');
  const { known } = Object(behaviours.get('http.options'));
  if (preflights === 'none' || behaviours.get('http.preflight') === preflightAsOptions(known)) {
    setDefault('http.preflight');
  }
  // What nothing shows is missing nowhere, and default profiles that no creation shows cannot be known.
  const further = ['stream.further-keys', 'session.further-keys'] as const;
  const isShown = ['renditions', 'name'].every(
    (key, index) => key in Object(behaviours.get(further[index] as BehaviourId)),
  );
  const { omitted } = Object(behaviours.get('profiles.default'));
  if (!isShown || omitted !== 'empty') setDefault('keys.missing');
  // Then the list without the parameter is one of only recorded sessions.
  if (Object(behaviours.get('list.record')).absent === 'recorded') setDefault('sessions.appear');
  // Otherwise nobody would find the other items.
  const next = Object(behaviours.get('list.next'));
  const sizes = Object.entries(Object(behaviours.get('list.page-size')));
  const found = sizes.map(([list, size]) => [list, next[list] === 'link' ? size : 100]);
  behaviours.set('list.page-size', Object.fromEntries(found));
  return Object.fromEntries(behaviours) as Partial<Behaviours>;
}

/** Names of what shows only if something else has its default. */
const dependent =
  /^(orders\.reported|errors\.\w+\.body:(bytes|deep)|behaviours\.(auth\.challenge|http\.preflight|playback\.shows|cors\.(credentials|without-origin|exposed-headers|allowed-headers|allowed-methods|max-age)|profiles\.of-session|response\.shows|delete\.leaves|list\.(page-size|record|next|cursor|full-last-page|sessions-among-streams)))$/;

/** The reason if no operation shows the stream, or no list of streams its child streams. */
const unseen =
  /^needs (the current state of a stream(: neither GET| or session)|a field with another value|a session of this run in the list of streams)/;

/** The dialect that is learned of the mock with a dialect, the expected one, and what should have been observed. */
export async function learnAgain(dialect: Dialect) {
  const { dialect: _, ...parts } = dialect;
  const { dialect: learned, observed } = await learn(mockToLearn(parts));
  const open = [...observed].flatMap(([name, one]) =>
    one.outcome === 'observed' || dependent.test(name) || unseen.test(one.reason)
      ? []
      : [`${name}: ${one.reason}`],
  );
  return { learned, expected: toDialect(await expectedFrom(dialect, observed)), open };
}

/**
 * What `learn` should have observed of a mock with a dialect, for everything that it observed. For example, a body
 * that counts as empty is refused for its missing field, whatever the dialect says of the body.
 */
async function expectedFrom(dialect: Dialect, observed: Observations): Promise<Observations> {
  const resolved = resolveDialect(dialect);
  const expected = new Map<string, Observation>();
  for (const [name, { outcome, exchanges }] of observed) {
    if (outcome !== 'observed') continue;
    const value = await expectedValue(resolved, observed, name);
    // A response to HEAD has no body.
    const isHead = name === 'behaviours.http.head';
    const shown = isHead ? value : withForm(value, resolved.refusalBody);
    expected.set(name, { outcome, value: shown, exchanges });
  }
  return expected;
}

async function expectedValue(
  resolved: ResolvedDialect,
  observed: Observations,
  name: string,
): Promise<unknown> {
  const stated = statementsOf(resolved).get(name);
  if (name.startsWith('errors.')) return asShown(name, stated as Cell, resolved);
  const endpoint = name.replace('orders.', '');
  if (name.startsWith('orders.') && endpoint !== 'reported') {
    const cellOf: CellOf = (of, error) => {
      const cellId = cellName(of, error);
      const cell = resolved.cells[of][error];
      if (cell === undefined || observed.get(cellId)?.outcome !== 'observed') return undefined;
      return withFormOf(asShown(cellId, cell, resolved), resolved.refusalBody);
    };
    const order = stated as readonly ErrorClass[];
    const errors = oneErrorOfEachClass(endpoint as Endpoint, cellOf);
    return findOrder(endpoint as Endpoint, errors, async (wrong) => {
      const place = (one: Refused): number => order.indexOf(one.class);
      const [first] = wrong.toSorted((one, other) => place(one) - place(other));
      return (first as Refused).refusal;
    });
  }
  const id = behaviourIds.find((one) => name === `behaviours.${one}`);
  const seen = observed.get(name);
  if (id === undefined || !definitionOf(id).isNamed || seen?.outcome !== 'observed') return stated;
  const entries = Object.entries(Object(stated)).filter(([key]) => key in Object(seen.value));
  return Object.fromEntries(entries);
}

/** A cell as a client sees it: a value that changes nothing was dropped, and an accepted body lacks its fields. */
export function asShown(name: string, cell: Cell, resolved: ResolvedDialect): Cell {
  const { cells, behaviours } = resolved;
  const [, endpoint = '', ...rest] = name.split('.');
  const error = rest.join('.');
  if (isRefusal(cell)) return asRefused(endpoint as Endpoint, error as ErrorId, cell, resolved);
  if ('as' in cell && showsNothing(endpoint as Endpoint, error, cell.as, behaviours))
    return { as: 'dropped' };
  const required = endpoint === 'createStream' ? 'field:name:missing' : 'field:record:missing';
  const isTaken =
    /^body:(none|blank|null|scalar|array|cut|malformed)$/.test(error) &&
    endpoint !== 'updateStream';
  // Nobody sees a name that is not kept.
  const given = cells[endpoint as Endpoint]['field:name:given'];
  const hasName = 'as' in given && given.as === 'kept';
  const isOfName = error === 'body:bytes' && hasName;
  const next = isTaken ? required : isOfName ? 'field:name:characters' : undefined;
  const shown = next && cells[endpoint as Endpoint][next];
  return shown !== undefined && isRefusal(shown) ? shown : cell;
}

/** A refusal as a client sees it. */
function asRefused(
  endpoint: Endpoint,
  error: ErrorId,
  cell: Refusal & LimitBounds,
  { cells, refusalBody }: ResolvedDialect,
): Cell {
  const { above: _, below: __, ...refusal } = cell;
  const ofUnknownField = withFormOf(cells[endpoint]['field:unknown:given'], refusalBody);
  const refused = { body: refusalBody, ...refusal };
  const seen = seenRefusal(endpoint, error, refused, ofUnknownField);
  return seen === undefined || isRefusal(seen) ? cell : seen;
}

/** A cell with a form if it is a refusal that has none. */
function withFormOf(cell: Cell, body: RefusalBody): Cell {
  return isRefusal(cell) ? { body, ...cell } : cell;
}

/** Whether a stream shows the same with and without a value. */
function showsNothing(
  endpoint: Endpoint,
  error: string,
  word: AcceptedAs,
  behaviours: Behaviours,
): boolean {
  const [, field] = /^field:(record|suspended):/.exec(error) ?? [];
  if (field === undefined || word !== 'boolean' || endpoint === 'setRecord') return false;
  const before =
    field === 'record' ? behaviours['record.default'] : behaviours['stream.further-keys'][field];
  const wrong = errorsOf[endpoint].find(({ id }) => id === error)?.flaws ?? [];
  return wrong.every((one) => 'field' in one && convert({ as: word }, one.value) === before);
}

/** A value with a form in those of its refusals that have none. */
function withForm(value: unknown, body: RefusalBody): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value && Number(value.status) >= 400) return { body, ...value };
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withForm(part, body)]),
  );
}
