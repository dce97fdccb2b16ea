/**
 * Resolves in a later turn of the event loop, so that others are answered in between. A port is used as
 * it is in every runtime, needs no time, and is left alone by tests that replace timers.
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
