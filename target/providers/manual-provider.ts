import type { Encoder } from './provider.ts';

/** Shows a text to a person, and resolves when what it asks for is done. */
export type Ask = (text: string) => Promise<void>;

/** Goes live with the help of a person. */
export function manualProvider(ask: Ask, stopSignal: AbortSignal): Encoder {
  // A person does one thing at a time, and confirms one request per line of input.
  let lastConfirmation: Promise<unknown> = Promise.resolve();
  const askInTurn = (text: string): Promise<void> => {
    const confirmation = lastConfirmation.then(() => {
      stopSignal.throwIfAborted();
      return ask(text);
    });
    lastConfirmation = confirmation.catch(() => {});
    return confirmation;
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
