import { Blocked } from '../../../conformance/target/failure.ts';
import { isRefusal, type Refusal } from '../../../interface/cells.ts';
import {
  type Asked,
  askedNames,
  type ErrorClass,
  errorsOf,
  type Mutation,
} from '../../../interface/errors.ts';
import { classesOf } from '../../../interface/orders.ts';
import type { Asking, Observation, Question } from '../asking/asking.ts';
import { bodyOf } from '../asking/streams.ts';
import { type CellOf, cellName, knownCells, readingOperation, send } from './cells.ts';
import { areAlike, readRefusal } from './refusals.ts';

/** Two errors of different classes that a request can have at once, and that are refused otherwise. */
interface Pair {
  readonly classes: readonly [ErrorClass, ErrorClass];
  readonly mutations: readonly Mutation[];
  readonly refusals: readonly [Refusal, Refusal];
  /** How a request is refused whose path is noticed before both. */
  readonly before?: Refusal | undefined;
}

/** Which of two classes is noticed first. */
interface Told {
  readonly first: ErrorClass;
  readonly later: ErrorClass;
}

/** Pairs that no request can have, or that no service notices in another order. */
const fixed: ReadonlySet<string> = new Set([
  'key,no-key',
  'key,id',
  'no-key,id',
  'key,state',
  'no-key,state',
  'id,state',
  'body,fields',
]);

/** The pairs of classes whose order shows, each by the first errors of the table that can tell it. */
export function pairsOf(asked: Asked, cellOf: CellOf): readonly Pair[] {
  const classes = classesOf(asked);
  const offered = cellOf(asked, 'operation:given');
  if (offered !== undefined && isRefusal(offered)) return [];
  return classes.flatMap((one, index) =>
    classes.slice(index + 1).flatMap((other) => {
      if (fixed.has(`${one},${other}`) || fixed.has(`${other},${one}`)) return [];
      return pairOf(asked, [one, other], cellOf) ?? [];
    }),
  );
}

function pairOf(
  asked: Asked,
  classes: readonly [ErrorClass, ErrorClass],
  cellOf: CellOf,
): Pair | undefined {
  const [ones, others] = [
    refusedOf(asked, classes[0], cellOf),
    refusedOf(asked, classes[1], cellOf),
  ];
  for (const one of ones) {
    const other = others.find(({ refusal }) => !areAlike(one.refusal, refusal));
    if (other === undefined) continue;
    const mutations = [one.mutation, other.mutation];
    const pair = { classes, refusals: [one.refusal, other.refusal] } as const;
    if (asked !== 'unknownRoute') return { ...pair, mutations };
    // A path that has no operation takes a body all the same.
    if (classes.includes('body')) mutations.unshift({ method: 'POST' });
    const before = classes.includes('route') ? undefined : refusalOf(asked, 'path:unknown', cellOf);
    return { ...pair, mutations, before };
  }
  return undefined;
}

/** An error, how a request is made wrong with it, and refused. */
interface Refused {
  readonly id: string;
  readonly mutation: Mutation;
  readonly refusal: Refusal;
}

/** What is noticed later than others of its class: bytes in the field that has them, a cursor or a parent in its list. */
const late = /^(body:bytes|query:(cursor|parentId):\w+)$/;

/** The errors of a class that are refused, in the order of the table. */
function refusedOf(asked: Asked, name: ErrorClass, cellOf: CellOf): readonly Refused[] {
  // What decides in a request for an unknown path, beside its path and its key.
  const isBodyOfUnknown = asked === 'unknownRoute' && name === 'body';
  const from = isBodyOfUnknown ? 'createStream' : asked;
  const only = name === 'key' ? 'key:wrong' : isBodyOfUnknown ? 'body:malformed' : undefined;
  // A body that is taken for an empty one is refused for the field that is missing.
  const required = `field:${from === 'createStream' ? 'name' : 'record'}:missing`;
  const missing = name === 'body' ? refusalOf(from, required, cellOf) : undefined;
  return errorsOf[from].flatMap(({ class: of, id, wrong }) => {
    const refusal = of === name && (only ?? id) === id ? refusalOf(from, id, cellOf) : undefined;
    const mutation = wrong.at(-1);
    if (refusal === undefined || mutation === undefined) return [];
    return late.test(id) || areAlike(missing, refusal) ? [] : [{ id, mutation, refusal }];
  });
}

function refusalOf(asked: Asked, error: string, cellOf: CellOf): Refusal | undefined {
  // Some keys are asked of one operation.
  const elsewhere = error.startsWith('key:') ? readingOperation(cellOf) : undefined;
  const cell = cellOf(asked, error) ?? (elsewhere && cellOf(elsewhere, error));
  if (cell === undefined || !isRefusal(cell)) return undefined;
  const { above: _, below: __, ...refusal } = cell;
  return refusal;
}

/** The order of the classes, and how a request was refused for what was noticed first, by its class. */
interface Order {
  readonly order: readonly ErrorClass[];
  readonly refusals: Readonly<Partial<Record<ErrorClass, Refusal>>>;
}

/** Which class of errors is noticed first, wherever two of them can be told apart. */
export function probeOrder(asked: Asked, cellOf: CellOf): Question<Order> {
  return async (asking) => {
    const told: Told[] = [];
    const refusals: Partial<Record<ErrorClass, Refusal>> = {};
    for (const pair of pairsOf(asked, cellOf)) {
      const refusal = readRefusal((await send(asking, asked, pair.mutations)).response);
      const one = toldBy(asked, pair, refusal);
      if (one === undefined) continue;
      told.push(one);
      refusals[one.first] = refusal;
    }
    return { order: orderFrom(asked, told), refusals };
  };
}

/** Which class of a pair a refusal is of; `undefined` where it is neither's. */
function toldBy(
  asked: Asked,
  { classes, refusals, before }: Pair,
  refusal: Refusal,
): Told | undefined {
  if (areAlike(before, refusal)) return undefined;
  const seen = classes[refusals.findIndex((one) => areAlike(one, refusal))];
  // Some keys were asked of another operation, which may refuse them otherwise.
  const first = seen ?? classes.find((name) => isOfElsewhere(asked, name));
  const later = classes.find((name) => name !== first);
  return first && later && { first, later };
}

/** Whether an operation is not asked how it refuses such keys alone. */
function isOfElsewhere(asked: Asked, name: ErrorClass): boolean {
  return name === 'key' || (name === 'no-key' && asked === 'unknownRoute');
}

/** The order of classes that some pairs tell, as near to the usual one as they let it be. */
export function orderFrom(asked: Asked, told: readonly Told[]): readonly ErrorClass[] {
  const left = [...classesOf(asked)];
  const order: ErrorClass[] = [];
  while (left.length > 0) {
    const isFree = (name: ErrorClass): boolean =>
      !told.some(({ first, later }) => later === name && left.includes(first)) &&
      !left.some((before) => fixed.has(`${before},${name}`) && before !== 'key');
    const next = left.find(isFree) ?? (left[0] as ErrorClass);
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}

/**
 * Notes how the operations refuse wrong keys of which that was not asked alone: as their orders showed it, or
 * else as the one operation does that was asked.
 */
export function noteKeys(observed: Map<string, Observation>): void {
  const note = (asked: Asked, error: string, one: Observation | undefined): void => {
    const name = cellName(asked, error);
    if (one !== undefined && !observed.has(name)) observed.set(name, one);
  };
  const asAsked = observed.get(cellName(readingOperation(knownCells(observed)), 'key:wrong'));
  for (const asked of askedNames) {
    const found = observed.get(`orders.${asked}`);
    if (found?.outcome === 'observed') {
      const { order, refusals } = found.value as Order;
      observed.set(`orders.${asked}`, { ...found, value: order });
      const { key, 'no-key': noKey } = refusals;
      note(asked, 'key:wrong', key && { ...found, value: key });
      note(asked, 'key:none', noKey && { ...found, value: noKey });
    }
    note(asked, 'key:wrong', asAsked);
  }
}

/** Whether a refusal tells of every wrong field of a body. @throws Blocked where no text says which is wrong */
export function probeTold(cellOf: CellOf): Question<'all' | 'first'> {
  return async (asking) => {
    const errors = refusedOf('createStream', 'fields', cellOf);
    const name = errors.find(({ id }) => id.startsWith('field:name:'))?.mutation;
    const record = errors.find(({ id }) => id.startsWith('field:record:'))?.mutation;
    const noTexts = new Blocked(
      'two fields of a creation that are refused with texts which tell them apart',
    );
    if (name === undefined || record === undefined) throw noTexts;
    const ofName = await refusedTexts(asking, [name]);
    const ofRecord = await refusedTexts(asking, [record]);
    const ofBoth = (await refusedTexts(asking, [name, record])).join('\n');
    const onlyName = ofName.filter((text) => !ofRecord.includes(text));
    const onlyRecord = ofRecord.filter((text) => !ofName.includes(text));
    if (onlyName.length === 0 || onlyRecord.length === 0) throw noTexts;
    // A code is of the whole refusal.
    const isTold = (texts: readonly string[]): boolean =>
      texts.some((text) => ofBoth.includes(text));
    return isTold(onlyName) && isTold(onlyRecord) ? 'all' : 'first';
  };
}

/** The texts in a refusal. */
async function refusedTexts(
  asking: Asking,
  mutations: readonly Mutation[],
): Promise<readonly string[]> {
  const { response } = await send(asking, 'createStream', mutations);
  readRefusal(response);
  return textsIn(bodyOf(response));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
