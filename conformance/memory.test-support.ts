/** The most memory that is used, beyond what is used now. */
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
