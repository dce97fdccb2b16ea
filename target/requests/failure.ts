import { firstOf } from '../../text/phrases.ts';
import type { Evidence } from './evidence.ts';

/** The target does not satisfy a requirement. The message says what was expected and what was received. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** The exchanges that prove it, the decisive one first. */
  readonly evidence: readonly Evidence[];

  constructor(message: string, evidence: readonly Evidence[] = []) {
    super(message);
    this.evidence = evidence;
  }
}

/** A precondition of a check is missing. The message says what the check needs, and how to provide it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** There was no response, or it exceeded the suite's limits: nothing is known about the requirement. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** A code of Node.js such as `ECONNREFUSED`, `TIMEOUT` or `429`; absent if a response began. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error is about the target; any other is a bug in this program. */
export function isOfTarget(error: unknown): error is Error {
  return [Blocked, CheckFailure, NoResponse].some((kind) => error instanceof kind);
}

/** Resolves as the work does, or to `undefined` if the target or a missing precondition prevents it. */
export async function unlessPrevented<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isOfTarget(error)) return undefined;
    throw error;
  }
}

/**
 * Does what a check needs first. If that fails, the check is blocked.
 * @param see the requirements that judge this step
 */
export async function asPrecondition<Value>(
  what: string,
  work: () => Value | Promise<Value>,
  see?: string,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CheckFailure || error instanceof NoResponse)) throw error;
    throw new Blocked(`${what}: ${error.message}${see === undefined ? '' : `; see ${see}`}`);
  }
}

const exchangesByValue = new WeakMap<object, readonly Evidence[]>();

/**
 * Remembers from which exchanges a value was read: a response, or an object or list in one. A failure
 * that names the value shows them as its evidence. Returns the value.
 */
export function rememberExchanges<Value extends object>(
  value: Value,
  exchanges: readonly Evidence[],
): Value {
  exchangesByValue.set(value, exchanges);
  return value;
}

const indexes = new WeakMap<object, number>();

/** Remembers that an object was read from a list, and where in it. A failure that names the object shows it alone. */
export function rememberIndex(object: object, index: number): void {
  indexes.set(object, index);
}

/** Where an object was read from a list, such as `[2]`; empty if it was not. */
export function placeOf(object: object): string {
  const index = indexes.get(object);
  return index === undefined ? '' : `[${index}]`;
}

/** The exchanges from which values were read, each once, in the order of the values. */
export function exchangesOf(values: readonly (object | undefined)[]): Evidence[] {
  const exchanges = values.flatMap((value) => (value && exchangesByValue.get(value)) ?? []);
  return [...new Set(exchanges)];
}

/** The responses that prove a failure, or objects and lists read from them; the decisive one first. */
export type Proof = readonly [object, ...(object | undefined)[]];

/** Ends a check: the target does not satisfy the requirement. @throws CheckFailure always. */
export function fail(message: string, ...proof: Proof): never {
  const [decisive] = proof;
  const place = placeOf(decisive);
  const [first, ...others] = exchangesOf(proof);
  if (place === '' || first === undefined) throw new CheckFailure(message, exchangesOf(proof));
  const element = `${place}: ${JSON.stringify(decisive)}`;
  throw new CheckFailure(message, [{ ...first, element }, ...others]);
}

/** How many mistakes one message names, and how many exchanges prove them. */
const most = { mistakes: 10, exchanges: 10 };

/** Mistakes of one kind in one message. */
export function joinMistakes(mistakes: readonly string[]): string {
  return firstOf([...new Set(mistakes)], most.mistakes).join('; ');
}

/**
 * Checks items one after the other. It fails once, with all that is wrong, so that one run shows every mistake of a
 * kind. What is not a failure ends it.
 */
export async function expectOfEach<Item>(
  items: Iterable<Item>,
  check: (item: Item) => unknown,
): Promise<void> {
  const failures: CheckFailure[] = [];
  for (const item of items) {
    try {
      await check(item);
    } catch (error) {
      if (error instanceof CheckFailure) failures.push(error);
      else if (failures.length === 0) throw error;
      else break;
    }
  }
  if (failures.length === 0) return;
  const exchanges = new Set(failures.flatMap(({ evidence }) => evidence));
  throw new CheckFailure(
    joinMistakes(failures.map(({ message }) => message)),
    [...exchanges].slice(0, most.exchanges),
  );
}
