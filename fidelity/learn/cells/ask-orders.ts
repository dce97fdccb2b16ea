import { inParallel } from '../../../conformance/run/parallel.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { parseJson } from '../../../conformance/target/parse-json.ts';
import { isRefusal, type Refusal } from '../../../interface/cells.ts';
import {
  type Asked,
  askedNames,
  type ErrorClass,
  errorsOf,
  type Mutation,
} from '../../../interface/errors.ts';
import type { Asker, Asking, Observation } from '../asking/asking.ts';
import { cellName, followWrongKey, knownCells, type ObservedCells } from './cells.ts';
import { askPair, type CellOf, orderFrom, type Pair, pairsOf } from './orders.ts';
import { readRefusal } from './outcome.ts';
import { send } from './probe.ts';

/** What was observed of orders, by what is asked for, and of how many errors a refusal tells. */
type ObservedOrders = Map<Asked | 'told', Observation>;

/** Asks which class of errors is noticed first, wherever two of them can be told apart. */
export async function askOrders(
  asker: Asker,
  cells: ObservedCells,
  onOne: (family: string) => void,
): Promise<ObservedOrders> {
  const cellOf = knownCells(cells);
  const observed: ObservedOrders = new Map();
  await inParallel(askedNames, 4, async (asked) => {
    const offered = cellOf(asked, 'operation:given');
    const pairs = offered !== undefined && isRefusal(offered) ? [] : pairsOf(asked, cellOf);
    if (pairs.length > 0) {
      const found = await asker.observe((asking) => orderOf(asking, asked, pairs));
      if (found.outcome === 'observed') noteKeys(asked, found, cells);
      const isKnown = found.outcome === 'observed';
      observed.set(asked, isKnown ? { ...found, value: found.value.order } : found);
    }
    onOne('orders');
  });
  followWrongKey(cells);
  observed.set('told', await asker.observe((asking) => countTold(asking, cellOf)));
  return observed;
}

/** Notes how keys are refused that were not asked of this operation alone. */
function noteKeys(
  asked: Asked,
  found: Extract<Observation<Order>, { outcome: 'observed' }>,
  cells: ObservedCells,
): void {
  for (const [error, value] of Object.entries(found.value.keys)) {
    const name = cellName(asked, error);
    if (!cells.has(name)) cells.set(name, { ...found, value });
  }
}

/** The order of the classes, and how wrong keys were refused where they were noticed first. */
interface Order {
  readonly order: readonly ErrorClass[];
  readonly keys: Readonly<Record<string, Refusal>>;
}

async function orderOf(asking: Asking, asked: Asked, pairs: readonly Pair[]): Promise<Order> {
  const told: { first: ErrorClass; later: ErrorClass }[] = [];
  const keys: Record<string, Refusal> = {};
  for (const pair of pairs) {
    const { isFirst, refusal } = await askPair(asking, asked, pair);
    if (isFirst === undefined) continue;
    const [first, later] = isFirst ? pair.classes : [pair.classes[1], pair.classes[0]];
    told.push({ first, later });
    if (first === 'key') keys['key:wrong'] = refusal;
    if (first === 'no-key') keys['key:none'] = refusal;
  }
  return { order: orderFrom(asked, told), keys };
}

/** Whether a refusal tells of every wrong field of a body. @throws Blocked where no text says which is wrong */
async function countTold(asking: Asking, cellOf: CellOf): Promise<'all' | 'first'> {
  const [one, other] = ['name', 'record'].map((field) =>
    errorsOf.createStream.find(({ id }) => {
      const cell = id.startsWith(`field:${field}:`) && cellOf('createStream', id);
      return cell && isRefusal(cell) && !id.endsWith(':large');
    }),
  );
  const mutations = [one?.wrong[0], other?.wrong[0]];
  const [first, second] = mutations;
  if (first === undefined || second === undefined) throw new Blocked(noTexts);
  const ofOne = await refusedTexts(asking, [first]);
  const ofOther = await refusedTexts(asking, [second]);
  const ofBoth = (await refusedTexts(asking, [first, second])).join('\n');
  const onlyOne = ofOne.filter((text) => !ofOther.includes(text));
  const onlyOther = ofOther.filter((text) => !ofOne.includes(text));
  if (onlyOne.length === 0 || onlyOther.length === 0) throw new Blocked(noTexts);
  const tells = (texts: readonly string[]): boolean => texts.every((text) => ofBoth.includes(text));
  return tells(onlyOne) && tells(onlyOther) ? 'all' : 'first';
}

const noTexts = 'two fields of a creation that are refused with texts which tell them apart';

/** The texts in a refusal. */
async function refusedTexts(asking: Asking, mutations: readonly Mutation[]): Promise<string[]> {
  const { response } = await send(asking, 'createStream', mutations);
  readRefusal(response);
  if (!/json/i.test(response.headers.get('content-type') ?? '')) return [];
  const texts: string[] = [];
  JSON.stringify(parseJson(response.text), (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}
