/** Works on items, `limit` at a time; resolves to the values in the order of the items. */
export async function inParallel<Item, Value>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) values[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return values;
}
