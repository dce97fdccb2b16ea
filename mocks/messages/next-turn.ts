/**
 * Resolves in a later turn of the event loop, so that other requests are answered in between. Unlike a
 * timer, a message port has no minimum delay and is not replaced by fake timers.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
