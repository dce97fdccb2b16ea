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
    const found = await probe();
    const left = deadline - performance.now();
    if (found !== undefined || left <= 0) return found;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}
