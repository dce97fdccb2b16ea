import type { Cell, Refusal } from '../../../interface/cells.ts';
import { isRefusal } from '../../../interface/cells.ts';
import {
  type Asked,
  type ErrorClass,
  errorsOf,
  type Mutation,
  type RequestError,
} from '../../../interface/errors.ts';
import { canonicalJson } from '../../../interface/json.ts';
import { classesOf } from '../../../interface/orders.ts';
import type { Asking } from '../asking/asking.ts';
import { readRefusal } from './outcome.ts';
import { send } from './probe.ts';

/** What is known of a cell. */
export type CellOf = (asked: Asked, error: string) => Cell | undefined;

/** Two errors of different classes that a request can have at once, and that are refused otherwise. */
export interface Pair {
  readonly classes: readonly [ErrorClass, ErrorClass];
  readonly mutations: readonly Mutation[];
  readonly refusals: readonly [Refusal, Refusal];
  /** How a request for an unknown path is refused that has none of them. */
  readonly beside?: Refusal;
}

/** Errors with how they are refused. */
interface Refused {
  readonly error: RequestError;
  readonly mutation: Mutation;
  readonly refusal: Refusal;
}

/** What decides in a request for an unknown path, beside its path and its key. */
const bodyOfUnknown = 'body:malformed';

/** The pairs of classes whose order shows, each by the first errors of the table that can tell it. */
export function pairsOf(asked: Asked, cellOf: CellOf): readonly Pair[] {
  const classes = classesOf(asked);
  return classes.flatMap((one, index) =>
    classes.slice(index + 1).flatMap((other) => pairOf(asked, [one, other], cellOf) ?? []),
  );
}

function pairOf(
  asked: Asked,
  classes: readonly [ErrorClass, ErrorClass],
  cellOf: CellOf,
): Pair | undefined {
  // Both keys cannot be in one request, and no service notices the others in another order.
  if (fixed.has(classes.join()) || fixed.has(classes.toReversed().join())) return undefined;
  const [ones, others] = classes.map((name) => refusedOf(asked, name, cellOf));
  for (const one of ones ?? []) {
    for (const other of others ?? []) {
      if (isAlike(one.refusal, other.refusal)) continue;
      const mutations = [one.mutation, other.mutation];
      const [route] = refusedOf(asked, 'route', cellOf);
      const isBeside = asked === 'unknownRoute' && !classes.includes('route');
      return {
        ...{ classes, mutations, refusals: [one.refusal, other.refusal] },
        ...(isBeside && route !== undefined && { beside: route.refusal }),
      };
    }
  }
  return undefined;
}

const fixed: ReadonlySet<string> = new Set([
  'key,no-key',
  'key,id',
  'no-key,id',
  'key,state',
  'no-key,state',
  'id,state',
  'body,fields',
]);

/** The errors of a class that are refused, in the order of the table. */
function refusedOf(asked: Asked, name: ErrorClass, cellOf: CellOf): readonly Refused[] {
  const isBodyOfUnknown = asked === 'unknownRoute' && name === 'body';
  const from = isBodyOfUnknown ? 'createStream' : asked;
  const only = name === 'key' ? 'key:wrong' : isBodyOfUnknown ? bodyOfUnknown : undefined;
  const errors = errorsOf[from].filter(
    ({ class: of, id }) => of === name && (only === undefined || id === only),
  );
  // A body that is taken for an empty one is refused for the field that is missing.
  const missing = name === 'body' ? refusalOf(cellOf(from, requiredOf(from))) : undefined;
  return errors.flatMap((error) => {
    const refusal = refusalOf(cellOf(from, error.id) ?? keyElsewhere(error, cellOf));
    const mutation = error.wrong.at(-1);
    if (refusal === undefined || mutation === undefined) return [];
    return missing !== undefined && isAlike(missing, refusal) ? [] : { error, mutation, refusal };
  });
}

/** How another operation refuses a key. */
function keyElsewhere({ class: of, id }: RequestError, cellOf: CellOf): Cell | undefined {
  if (of !== 'key' && of !== 'no-key') return undefined;
  return cellOf('listStreams', id) ?? cellOf('listSessionsOfStream', id);
}

function refusalOf(cell: Cell | undefined): Refusal | undefined {
  if (cell === undefined || !isRefusal(cell)) return undefined;
  const { above: _, below: __, ...refusal } = cell;
  return refusal;
}

/** The error of a body without the field that it must have. */
function requiredOf(asked: Asked): string {
  return `field:${asked === 'createStream' ? 'name' : 'record'}:missing`;
}

function isAlike(one: Refusal, other: Refusal): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/**
 * Which class of a pair is noticed first, and how the request is refused; `undefined` where the response is
 * neither's.
 */
export async function askPair(
  asking: Asking,
  asked: Asked,
  pair: Pair,
): Promise<{ readonly isFirst: boolean | undefined; readonly refusal: Refusal }> {
  const withText = asked === 'unknownRoute' && pair.classes.includes('body');
  const mutations = withText ? [{ method: 'POST' } as const, ...pair.mutations] : pair.mutations;
  const refusal = readRefusal((await send(asking, asked, mutations)).response);
  const [one, other] = pair.refusals;
  const { beside } = pair;
  if (beside !== undefined && isAlike(refusal, beside)) return { isFirst: undefined, refusal };
  if (isAlike(refusal, other)) return { isFirst: false, refusal };
  if (isAlike(refusal, one)) return { isFirst: true, refusal };
  // Some keys were asked of another operation, which may refuse them otherwise.
  const keys = pair.classes.map((name) => isOfElsewhere(asked, name));
  return { isFirst: keys[0] ? true : keys[1] ? false : undefined, refusal };
}

/** Whether an operation is not asked how it refuses such keys alone. */
function isOfElsewhere(asked: Asked, name: ErrorClass): boolean {
  return name === 'key' || (name === 'no-key' && asked === 'unknownRoute');
}

/** The order of classes that some pairs tell, as near to the usual one as they let it be. */
export function orderFrom(
  asked: Asked,
  told: readonly { readonly first: ErrorClass; readonly later: ErrorClass }[],
): readonly ErrorClass[] {
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
