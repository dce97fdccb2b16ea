/**
 * Remembers what was made for a key, and makes it once. Only for what follows from its key alone; at
 * most `most` are kept, and when there are more, all are forgotten.
 */
export function createMemo<Value>(most: number): (key: string, make: () => Value) => Value {
  const made = new Map<string, Value>();
  return (key, make) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= most) made.clear();
    const value = make();
    made.set(key, value);
    return value;
  };
}
