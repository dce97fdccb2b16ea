import { describeValue, Problem } from '../problem.ts';

const deepest = 32;

/**
 * Refuses JSON that is well-formed but that no honest client sends: it would be changed on its way
 * out (a lone surrogate), or is made to do harm (`__proto__`, extreme depth).
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown): void {
  // A stack of our own: the depth is the sender's choice.
  const pending = [{ value, path: 'body', depth: 0 }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value: part, path, depth } = item;
    if (typeof part === 'string') refuseLoneSurrogate(part, path);
    if (typeof part !== 'object' || part === null) continue;
    if (depth === deepest) {
      throw new Problem(400, `body: expected at most ${deepest} levels of nesting, got more`);
    }
    for (const [key, child] of Object.entries(part)) {
      refuseKey(key, path);
      pending.push({ value: child, path: `${path}.${key}`, depth: depth + 1 });
    }
  }
}

function refuseKey(key: string, path: string): void {
  refuseLoneSurrogate(key, `a key of ${path}`);
  if (key === '__proto__') {
    throw new Problem(400, `${path}: expected no key named __proto__, got one`);
  }
}

function refuseLoneSurrogate(text: string, path: string): void {
  if (text.isWellFormed()) return;
  throw new Problem(
    400,
    `${path}: expected well-formed Unicode, got a lone surrogate in ${describeValue(text)}`,
  );
}
