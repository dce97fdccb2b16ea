import type { Encoder } from './provider.ts';

/** Goes live with the help of a person: `ask` shows a text and resolves when it is done. */
export function manualProvider(ask: (text: string) => Promise<void>, stop: AbortSignal): Encoder {
  // A person does one thing at a time, and confirms one request per line of input.
  let before: Promise<unknown> = Promise.resolve();
  const askInTurn = (text: string): Promise<void> => {
    const asked = before.then(() => {
      stop.throwIfAborted();
      return ask(text);
    });
    before = asked.catch(() => {});
    return asked;
  };
  return {
    name: 'manual',
    async broadcast({ id, streamKey }, seconds) {
      await askInTurn(
        `Go live on stream ${JSON.stringify(id)} with the stream key ${JSON.stringify(streamKey ?? 'unknown')} for about ${seconds} seconds, then end the stream`,
      );
      return undefined;
    },
  };
}
