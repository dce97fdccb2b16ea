/**
 * Calls `probe` at growing intervals until it finds something.
 * @param patience milliseconds, after which it gives up and resolves to `undefined`
 */
export async function until<Value>(
  patience: number,
  probe: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const deadline = performance.now() + patience;
  for (let pause = 20; ; pause = Math.min(2_000, pause * 2)) {
    const value = await probe();
    const timeLeft = deadline - performance.now();
    if (value !== undefined || timeLeft <= 0) return value;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, timeLeft)));
  }
}

/** Calls `act` when a signal is aborted, at once if it already is. Aborting `end` ends the wait. */
export function whenAborted(
  signal: AbortSignal | undefined,
  act: () => void,
  end?: AbortSignal,
): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true, ...(end && { signal: end }) });
}

/** How many milliseconds a run may take to undo things once it is to end. */
const longestEnding = 2_000;

/** Resolves a while after `stopSignal` is aborted: anything still under way then waits for a request that hangs. */
export function whenOverdue(stopSignal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = () => void setTimeout(() => resolve(undefined), longestEnding).unref();
    whenAborted(stopSignal, wait);
  });
}

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
