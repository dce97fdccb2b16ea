import { firstOf, withoutSharedFolders } from '../../text/phrases.ts';
import type { Evidence } from './evidence.ts';

/** The target does not satisfy a requirement. The message says what was expected and what was received. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** All that went wrong, each such as `[2].id: expected a string, got 1`. */
  readonly mistakes: readonly string[];
  /** The exchanges that prove it, the decisive one first. */
  readonly evidence: readonly Evidence[];

  constructor(mistakes: readonly string[], evidence: readonly Evidence[] = []) {
    super(joinMistakes(mistakes));
    this.mistakes = mistakes;
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

/** Whether an exception is about the target; any other is a bug in this program. */
export function isOfTarget(exception: unknown): exception is Error {
  return [Blocked, CheckFailure, NoResponse].some((kind) => exception instanceof kind);
}

/** Resolves as the work does, or to `undefined` if the target or a missing precondition prevents it. */
export async function unlessPrevented<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (exception) {
    if (isOfTarget(exception)) return undefined;
    throw exception;
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
  } catch (exception) {
    if (!(exception instanceof CheckFailure || exception instanceof NoResponse)) throw exception;
    throw new Blocked(`${what}: ${exception.message}${see === undefined ? '' : `; see ${see}`}`);
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
export function fail(mistakes: string | readonly string[], ...proof: Proof): never {
  const [decisive] = proof;
  const place = placeOf(decisive);
  const evidence = exchangesOf(proof);
  throw new CheckFailure(
    [mistakes].flat(),
    place === '' ? evidence : showElement(evidence, place, decisive),
  );
}

/** Evidence whose decisive exchange shows one element of the list in its body, which may be far down in it. */
export function showElement(
  [first, ...others]: readonly Evidence[],
  place: string,
  value: unknown,
): Evidence[] {
  if (first === undefined) return [];
  return [{ ...first, element: `${place}: ${JSON.stringify(value)}` }, ...others];
}

/** How many mistakes one message names, at how many places each, and how many exchanges prove them. */
const most = { mistakes: 10, places: 8, exchanges: 10 };

/** Mistakes in one message. Those that differ only in where they are, which is before the expectation, are named together. */
function joinMistakes(mistakes: readonly string[]): string {
  const placesByWords = new Map<string, Set<string>>();
  for (const mistake of mistakes) {
    const [, place = '', words = mistake] = /^(.*?)(: expected .*)$/s.exec(mistake) ?? [];
    placesByWords.set(words, (placesByWords.get(words) ?? new Set()).add(place));
  }
  const joined = [...placesByWords].map(
    ([words, places]) => firstOf(withoutSharedFolders([...places]), most.places).join(', ') + words,
  );
  return firstOf(joined, most.mistakes).join('; ');
}

/**
 * Checks items one after the other. It fails once, with all that is wrong, so that one run shows every mistake of a
 * kind. What is not a failure ends it.
 * @throws CheckFailure if any item fails; its message names the first mistakes, and how many more there are.
 */
export async function expectOfEach<Item>(
  items: Iterable<Item>,
  check: (item: Item) => unknown,
): Promise<void> {
  const failures: CheckFailure[] = [];
  for (const item of items) {
    try {
      await check(item);
    } catch (exception) {
      if (exception instanceof CheckFailure) failures.push(exception);
      else if (failures.length === 0) throw exception;
      else break;
    }
  }
  failTogether(failures);
}

/** Fails once with all of some failures, if there are any. */
export function failTogether(failures: readonly CheckFailure[]): void {
  if (failures.length === 0) return;
  const exchanges = new Set(failures.flatMap(({ evidence }) => evidence));
  throw new CheckFailure(
    failures.flatMap(({ mistakes }) => mistakes),
    [...exchanges].slice(0, most.exchanges),
  );
}
