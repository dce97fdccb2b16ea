/** Watches how far memory use rises above the current level. `most` stops watching, and returns bytes. */
export function watchMemory(): { most(): number } {
  const used = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const before = used();
  let most = before;
  const look = (): void => {
    most = Math.max(most, used());
  };
  const timer = setInterval(look, 10);
  return {
    most() {
      look();
      clearInterval(timer);
      return most - before;
    },
  };
}
