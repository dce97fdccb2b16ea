/**
 * Asks again and again, at growing intervals, until there is something to return.
 * @param patience milliseconds after which it gives up and returns `undefined`
 */
export async function until<Value>(
  patience: number,
  probe: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const deadline = performance.now() + patience;
  for (let pause = 20; ; pause = Math.min(2_000, pause * 2)) {
    const found = await probe();
    const left = deadline - performance.now();
    if (found !== undefined || left <= 0) return found;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}
