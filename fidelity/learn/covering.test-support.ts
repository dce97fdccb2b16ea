import { createRandom, type Random } from '../../fixtures/random.ts';
import {
  type AcceptedAs,
  type Cell,
  convert,
  isRefusal,
  type RefusalBody,
  usualCell,
  type Word,
  wordsFor,
} from '../../interface/cells.ts';
import {
  type Dialect,
  type Manners,
  mannersOf,
  orderedDialect,
  writeBehaviours,
} from '../../interface/dialect.ts';
import {
  type Asked,
  askedNames,
  type ErrorClass,
  errorsOf,
  type ListOperation,
  type RequestError,
} from '../../interface/errors.ts';
import { canonicalJson, type Json } from '../../interface/json.ts';
import { classesOf, type Orders, ordersSchema, usualOrders } from '../../interface/orders.ts';
import { type Cells, writeRefusals } from '../../interface/refusals.ts';
import { samplesOf } from '../../interface/samples.test-support.ts';
import {
  type Behaviours,
  type RowId,
  rowIds,
  rowOf,
  usualBehaviours,
} from '../../interface/silent.ts';
import type { CellOf, Observation, Observations } from './asking/asking.ts';
import { findOrder, oneOfEach, type Refused } from './cells/orders.ts';
import { statedValue } from './drift.ts';
import { mockToLearn } from './learn.test-support.ts';
import { learn, toDialect } from './learn.ts';

/** Refusals that a client can tell from the usual ones. */
const otherRefusals: readonly Cell[] = [
  { status: 418, body: 'empty' },
  { status: 409 },
  { status: 400, body: { type: 'text/plain' } },
  {
    status: 501,
    body: { type: 'application/problem+json', json: { code: 'REFUSED_SO', title: '{message}' } },
  },
];

const usualForms: readonly (RefusalBody | undefined)[] = [
  undefined,
  'empty',
  { type: 'application/problem+json', json: { title: '{message}', status: '{status}' } },
  { type: 'text/plain' },
];

/** Every value of a cell that a client can tell from the others: refusals, and what is accepted. */
function valuesOf(asked: Asked, error: RequestError): { refused: Cell[]; accepted: Cell[] } {
  const usual = usualCell(asked, error.id);
  const refusals = isRefusal(usual) ? [usual, ...otherRefusals] : otherRefusals;
  // Whether a limit cuts a value or gives another one nobody can tell.
  const told = wordsFor(asked, error.id).filter(
    (word) => word !== 'constant' || error.ladder === undefined,
  );
  const words = told.filter((word, index, all) => isTold(word, all.slice(0, index), error));
  const accepted = words.map((word) => cellFor(word, error));
  const [plain] = words;
  return {
    // What lists the recorded sessions, every service has.
    refused: isStated(asked, error) ? [] : refusals.map((cell) => withBounds(cell, error)),
    accepted: accepted.map((cell, index) =>
      words[index] === plain ? cell : withBounds(cell, error),
    ),
  };
}

function isStated(asked: Asked, { id }: RequestError): boolean {
  return asked === 'listSessionsOfStream' && id === 'query:record:given';
}

/** Whether what is shown tells a word from those before it. */
function isTold(word: Word, before: readonly Word[], error: RequestError): boolean {
  const shows = (one: Word): string =>
    canonicalJson(
      error.wrong.map((mutation) =>
        'field' in mutation
          ? [
              one.endsWith('-dropped') ? one : '',
              convert(cellFor(one, error) as never, mutation.value) ?? null,
            ]
          : one,
      ),
    );
  return !before.some((other) => shows(other) === shows(word));
}

function cellFor(word: Word, { id }: RequestError): Cell {
  if (word === 'redirect') return { redirect: 307 };
  if (word !== 'constant') return { as: word as AcceptedAs };
  return {
    constant: /name|gop|profile|encoder/.test(id.split(':')[1]?.split('.').at(-1) ?? '')
      ? 'constant'
      : (77 as Json),
  };
}

/** A cell of a limit, with two neighbours of its ladder. */
function withBounds(cell: Cell, { id, ladder }: RequestError): Cell {
  if (ladder === undefined || 'above' in cell) return cell;
  const place = Math.floor(ladder.length / 2) - 1;
  const [one = 0, other = 0] = ladder.slice(place, place + 2);
  return id.endsWith(':small')
    ? { ...cell, above: other, below: one }
    : { ...cell, above: one, below: other };
}

/** An error whose cell decides whether others show. */
function isGate({ id }: RequestError): boolean {
  return id === 'operation:given' || /^(field|query):.*:given$/.test(id);
}

/**
 * Dialects in which each value of each cell and of each row is at least once, and in which of any two errors
 * of an operation each is refused and accepted beside the other.
 * @param count how many; even
 */
export function coveringDialects(seed: string, count: number): Dialect[] {
  const random = createRandom(seed);
  const patterns = patternsOf(count, random);
  const shifts = new Map(rowIds.map((id) => [id, random.integer(0, count - 1)] as const));
  const cells = askedNames.map(
    (asked) => [asked, cellsOf(asked, count, patterns, random)] as const,
  );
  // Wrong keys are asked of one operation.
  const [[, first] = [], ...others] = cells;
  for (const [, dialects] of others) {
    dialects.forEach((dialect, index) => {
      dialect['key:wrong'] = first?.[index]?.['key:wrong'] as Cell;
    });
  }
  // A request for an unknown path is never wrong in its key alone: it is taken to be as one that reads.
  const cellsAt = new Map(cells);
  cellsAt.get('unknownRoute')?.forEach((dialect, index) => {
    const [streams, sessions] = (['listStreams', 'listSessionsOfStream'] as const).map(
      (asked) => cellsAt.get(asked)?.[index],
    );
    const isOffered = !isRefusal(streams?.['operation:given'] as Cell);
    dialect['key:none'] = (isOffered ? streams : sessions)?.['key:none'] as Cell;
  });
  // Of a stream that nothing shows, or that is far behind in a list, nobody can tell what was made of its fields.
  cellsAt.get('retrieveStream')?.forEach((dialect, index) => {
    const listed = cellsAt.get('listStreams')?.[index]?.['operation:given'] as Cell;
    const { listStreams: length } = Object(rowsAt(index, shifts)['list.page-size']);
    if (isRefusal(listed) || length !== usualBehaviours['list.page-size'].listStreams) {
      dialect['operation:given'] = usualCell('retrieveStream', 'operation:given');
    }
  });
  return Array.from({ length: count }, (_, index) => {
    const rows = rowsAt(index, shifts);
    const written = Object.fromEntries(
      cells.map(([asked, all]) => [asked, asShowable(asked, all[index] ?? {}, rows)]),
    );
    const usual = usualForms[index % usualForms.length];
    return orderedDialect({
      dialect: 2,
      ...(usual !== undefined && { usual }),
      refusals: writeRefusals(written as Cells),
      orders: ordersAt(index, random),
      behaviours: writeBehaviours(rows),
    });
  });
}

/**
 * A value that is kept shows nowhere where streams do not show record; nor does it show whether `record=1` is
 * dropped where a list without it has the recorded sessions too.
 */
function asShowable(
  asked: Asked,
  cells: Readonly<Record<string, Cell>>,
  rows: Partial<Behaviours>,
): Record<string, Cell> {
  if (asked === 'listSessionsOfStream' && rows['list.record']?.absent === 'recorded') {
    return { ...cells, 'query:record:given': { as: 'kept' } };
  }
  if (rows['stream.record'] === 'shown') return { ...cells };
  const entries = Object.entries(cells).map(([error, cell]): [string, Cell] => {
    const isKept =
      /^field:record:(?!given|missing)/.test(error) && 'as' in cell && cell.as === 'kept';
    return [error, isKept ? { as: 'boolean' } : cell];
  });
  return Object.fromEntries(entries);
}

/**
 * Rows of bits, of which any two have each pair of bits in some place: the first bit of each is 0, and half
 * of them are 1.
 */
function* patternsOf(count: number, random: Random): Generator<readonly boolean[]> {
  const seen = new Set<string>();
  for (;;) {
    const places = Array.from({ length: count - 1 }, (_, place) => place + 1);
    const ones = new Set<number>();
    while (ones.size < count / 2) {
      ones.add(places.splice(random.integer(0, places.length - 1), 1)[0] ?? 0);
    }
    const text = [...ones].toSorted((one, other) => one - other).join();
    if (seen.has(text)) continue;
    seen.add(text);
    yield Array.from({ length: count }, (_, place) => ones.has(place));
  }
}

/** The cells of an operation in each dialect. */
function cellsOf(
  asked: Asked,
  count: number,
  patterns: Generator<readonly boolean[]>,
  random: Random,
): Record<string, Cell>[] {
  const dialects: Record<string, Cell>[] = Array.from({ length: count }, () => ({}));
  for (const error of errorsOf[asked]) {
    const { refused, accepted } = valuesOf(asked, error);
    if (isGate(error)) {
      // What is not there hides much: it is there in most dialects.
      const shift = random.integer(0, count - 1);
      const cells = [...accepted, ...refused];
      const usual = cells[0] as Cell;
      const others = cells.slice(1);
      dialects.forEach((dialect, index) => {
        dialect[error.id] = others[(index + shift) % count] ?? usual;
      });
      continue;
    }
    const { value: bits } = patterns.next();
    const places = { refused: 0, accepted: 0 };
    dialects.forEach((dialect, index) => {
      const isAccepted = accepted.length > 0 && (refused.length === 0 || bits[index]);
      const values = isAccepted ? accepted : refused;
      const place = isAccepted ? places.accepted++ : places.refused++;
      dialect[error.id] = values[place % values.length] as Cell;
    });
  }
  return dialects;
}

function ordersAt(index: number, random: Random): Partial<Orders> {
  const orders = askedNames.flatMap((asked) => {
    const order = [...classesOf(asked)];
    if (index === 0) return [];
    // What is asked of a live stream is in the body, so no state is noticed before that.
    const isPossible = (): boolean =>
      (!order.includes('state') || order.indexOf('state') > order.indexOf('body')) &&
      ordersSchema.safeParse({ [asked]: order }).success;
    do shuffle(order, random);
    while (!isPossible());
    const isUsual = canonicalJson(order) === canonicalJson(usualOrders[asked]);
    return isUsual ? [] : [[asked, order] as const];
  });
  const told = index % 2 === 1 ? { told: 'first' } : {};
  return { ...Object.fromEntries(orders), ...told } as Partial<Orders>;
}

function shuffle(items: unknown[], random: Random): void {
  for (let place = items.length - 1; place > 0; place--) {
    const other = random.integer(0, place);
    const one = items[place];
    items[place] = items[other];
    items[other] = one;
  }
}

function rowsAt(index: number, shifts: ReadonlyMap<RowId, number>): Partial<Behaviours> {
  const rows = new Map<RowId, unknown>();
  for (const id of rowIds) {
    const { default: usual, each } = rowOf(id);
    const values = samplesOf(id);
    const value = values[(index + (shifts.get(id) ?? 0)) % values.length];
    rows.set(id, each ? { ...Object(usual), ...Object(value) } : value);
  }
  // Of a recording that is ready at once nobody can tell when else it was listed.
  const { listSessionsOfStream } = Object(rows.get('sessions.appear'));
  if (listSessionsOfStream === 'when-ready') rows.set('time.listed', 0);
  if (rows.get('time.ready') === 0) {
    rows.set('time.listed', 0);
    rows.set('sessions.appear', rowOf('sessions.appear').default);
  }
  // A preflight that allows nothing is answered as any other OPTIONS.
  const origins = Object(rows.get('cors.origins'));
  if (origins.preflights === 'none') rows.set('http.options', rowOf('http.options').default);
  // No one would find the other sessions.
  if (rows.get('list.next') !== 'link') rows.set('list.page-size', rowOf('list.page-size').default);
  return Object.fromEntries(rows) as Partial<Behaviours>;
}

/** What shows only where something else is as usual. */
const dependent =
  /^(orders\.told|refusals\.\w+\.body:(bytes|deep)|behaviours\.(auth\.challenge|profiles\.of-session|answer\.shows|delete\.leaves|list\.(page-size|record|next|cursor|full-last-page|sessions-among-streams)|sessions\.(status|addresses)-(before-ready|unrecorded)))$/;

/** Whether a value would be seen in a stream that no operation shows. */
function isUnseen(reason: string): boolean {
  return reason.startsWith('a stream as it is now: neither GET /stream/{id} nor GET /stream');
}

/** The dialect that is learned of the mock with a dialect, the one that should be, and what should have been observed. */
export async function learnAgain(
  dialect: Dialect,
): Promise<{ learned: Dialect; expected: Dialect; open: string[] }> {
  const { dialect: _, ...parts } = dialect;
  const { dialect: learned, observed } = await learn(mockToLearn(parts));
  const open = [...observed].flatMap(([name, one]) =>
    one.outcome === 'observed' || dependent.test(name) || isUnseen(one.reason)
      ? []
      : [`${name}: ${one.reason}`],
  );
  return { learned, expected: toDialect(await expectedFrom(dialect, observed)), open };
}

/**
 * What `learn` should have observed of a mock with a dialect, where it observed anything. What another error
 * decides, and an order that no pair of errors tells, is as that shows.
 */
async function expectedFrom(dialect: Dialect, observed: Observations): Promise<Observations> {
  const manners = mannersOf(dialect);
  const expected = new Map<string, Observation>();
  for (const [name, { outcome, exchanges }] of observed) {
    if (outcome !== 'observed') continue;
    const value = await expectedValue(manners, observed, name);
    // A response to HEAD has no body.
    const isHead = name === 'behaviours.http.head';
    const shown = isHead ? value : withForm(value, manners.usual);
    expected.set(name, { outcome, value: shown, exchanges });
  }
  return expected;
}

async function expectedValue(
  manners: Manners,
  observed: Observations,
  name: string,
): Promise<unknown> {
  const stated = statedValue(manners, name);
  if (name.startsWith('refusals.')) return asShown(name, stated as Cell, manners);
  const asked = name.replace('orders.', '');
  if (name.startsWith('orders.') && asked !== 'told') {
    const cellOf: CellOf = (of, error) => {
      const known = observed.get(`refusals.${of}.${error}`)?.outcome === 'observed';
      const cell = known ? manners.refusals[of].get(error) : undefined;
      return (
        cell && (withForm(asShown(`refusals.${of}.${error}`, cell, manners), manners.usual) as Cell)
      );
    };
    const order = stated as readonly ErrorClass[];
    const errors = oneOfEach(asked as Asked, cellOf);
    return findOrder(asked as Asked, errors, async (wrong) => {
      const place = (one: Refused): number => order.indexOf(one.class);
      const [first] = wrong.toSorted((one, other) => place(one) - place(other));
      return (first as Refused).refusal;
    });
  }
  const row = name.replace('behaviours.', '') as RowId;
  const seen = observed.get(name);
  if (!rowIds.includes(row) || !rowOf(row).each || seen?.outcome !== 'observed') return stated;
  const entries = Object.entries(Object(stated)).filter(([key]) => key in Object(seen.value));
  return Object.fromEntries(entries);
}

/** A cell as it shows: a value that changes nothing is dropped, and a body that is taken lacks its fields. */
function asShown(name: string, cell: Cell, { refusals, rows }: Manners): Cell {
  const [, asked = '', ...rest] = name.split('.');
  const error = rest.join('.');
  if (isRefusal(cell)) return cell;
  if ('as' in cell && showsNothing(asked as Asked, error, cell.as, rows)) return { as: 'dropped' };
  const required = `field:${asked === 'createStream' ? 'name' : 'record'}:missing`;
  const isTaken =
    /^body:(none|null|scalar|array|cut|malformed)$/.test(error) && asked !== 'updateStream';
  // Nobody looks at a name that is not taken.
  const given = refusals[asked as Asked].get('field:name:given') ?? { as: 'kept' };
  const hasName = 'as' in given && given.as === 'kept';
  const isOfName = error === 'body:bytes' && hasName;
  const next = isTaken ? required : isOfName ? 'field:name:characters' : '';
  const shown = refusals[asked as Asked].get(next);
  return shown !== undefined && isRefusal(shown) ? shown : cell;
}

/** Whether what is made of a value is what is shown without it. */
function showsNothing(asked: Asked, error: string, word: AcceptedAs, rows: Behaviours): boolean {
  // Of a page of two records, two are all.
  if (error === 'query:limit:fraction') {
    return word === 'rounded' && rows['list.page-size'][asked as ListOperation] === 2;
  }
  const [, field] = /^field:(record|suspended):/.exec(error) ?? [];
  if (field === undefined || word !== 'boolean' || asked === 'setRecord') return false;
  const before = field === 'record' ? rows['record.default'] : rows['stream.further-keys'][field];
  const wrong = errorsOf[asked].find(({ id }) => id === error)?.wrong ?? [];
  return wrong.every((one) => 'field' in one && convert({ as: word }, one.value) === before);
}

/** A value with the usual form in those of its refusals that say none. */
function withForm(value: unknown, body: RefusalBody): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value && Number(value.status) >= 400) return { body, ...value };
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withForm(part, body)]),
  );
}
