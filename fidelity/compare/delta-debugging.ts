/**
 * Delta debugging: takes parts away from items that show something, first all of them and then ever smaller parts, and
 * leaves a part away whenever the others still show it.
 * @returns the items that are left: as far as `isShownBy` could tell, without any one of them, it no longer shows
 */
export async function deltaDebug<Item>(
  items: readonly Item[],
  isShownBy: (fewer: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let left = items;
  let size = items.length;
  while (size > 0) {
    const before = left.length;
    for (let start = 0; start < left.length; ) {
      const fewer = left.toSpliced(start, size);
      if (await isShownBy(fewer)) left = fewer;
      else start += size;
    }
    // What had to stay may go now that others are gone. More than is left would be what was tried before.
    size = left.length === before ? Math.floor(size / 2) : Math.min(size, left.length - 1);
  }
  return left;
}
