/**
 * Every list that differs from a list in one place: what was done, its items, and the index of the first of them that
 * does not follow the one before it. The last item is never removed, as nothing follows it.
 */
export function* rearranged(
  items: readonly string[],
): Generator<readonly [string, string[], number], void> {
  for (const [index, item] of items.entries()) {
    const [next] = items.slice(index + 1);
    if (next !== undefined) {
      yield [`item ${index} removed`, items.toSpliced(index, 1), index];
      yield [`item ${index} swapped`, items.toSpliced(index, 2, next, item), index];
    }
    yield [`item ${index} repeated`, items.toSpliced(index, 0, item), index + 1];
  }
}
