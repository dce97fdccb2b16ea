import { describeValue, Problem } from '../../problems/problem.ts';

/** A copy of a record for an update to change; only `Key` can be set. */
export type Draft<Row, Key extends keyof Row> = Readonly<Omit<Row, Key>> & {
  -readonly [Name in Key]: Row[Name];
};

/**
 * Calls an update with a draft, and returns whether it set `key`, even to the same value.
 * @throws Problem 422 when the update changes anything else.
 */
export async function changeDraft<Row extends object, Key extends keyof Row>(
  draft: Row,
  key: Key,
  data: (draft: Draft<Row, Key>) => void | Promise<void>,
): Promise<boolean> {
  const before = structuredClone(draft);
  const refuse = (name: PropertyKey, value: unknown): never => {
    const expected = `no change, as an update sets ${String(key)} alone`;
    throw new Problem('invalid', {
      path: String(name),
      expected,
      got: describeValue(value),
    });
  };
  let isSet = false;
  const set = (target: Row, name: PropertyKey, value: unknown): boolean => {
    isSet ||= name === key;
    return Reflect.set(target, name, value) || refuse(name, value);
  };
  await data(new Proxy(draft, { set }));
  for (const name of Object.keys({ ...before, ...draft })) {
    const was = Reflect.get(before, name);
    const is = Reflect.get(draft, name);
    if (name !== key && JSON.stringify(was) !== JSON.stringify(is)) refuse(name, is);
  }
  return isSet || draft[key] !== before[key];
}
