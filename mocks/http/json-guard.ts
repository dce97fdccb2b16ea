import { describeValue, Problem } from '../problem.ts';
import { describePath } from '../validate.ts';

const deepest = 32;

/**
 * Refuses JSON that is well-formed but that no honest client sends: it would be changed on its way
 * out (a lone surrogate), or is made to do harm (`__proto__`, extreme depth).
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown): void {
  // A stack of our own: the depth is the sender's choice.
  const pending: Part[] = [{ value, path: [] }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value: part, path } = item;
    if (typeof part === 'string') refuseLoneSurrogate(part, path);
    if (typeof part !== 'object' || part === null) continue;
    if (path.length === deepest) {
      throw new Problem(400, `body: expected at most ${deepest} levels of nesting, got more`);
    }
    for (const [key, child] of entriesOf(part)) {
      refuseKey(key, path);
      pending.push({ value: child, path: [...path, key] });
    }
  }
}

function entriesOf(part: object): Iterable<[string | number, unknown]> {
  return Array.isArray(part) ? part.entries() : Object.entries(part);
}

interface Part {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

function refuseKey(key: string | number, path: readonly PropertyKey[]): void {
  if (typeof key === 'number') return;
  refuseLoneSurrogate(key, path, 'keys of ');
  if (key === '__proto__') {
    throw new Problem(400, `${describePath(path)}: expected no key named __proto__, got one`);
  }
}

function refuseLoneSurrogate(text: string, path: readonly PropertyKey[], expected = ''): void {
  if (text.isWellFormed()) return;
  throw new Problem(
    400,
    `${describePath(path)}: expected ${expected}well-formed Unicode, got a lone surrogate in ${describeValue(text)}`,
  );
}
