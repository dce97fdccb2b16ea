import type { Encoder } from './provider.ts';

/** Goes live by a person: `ask` shows a text and resolves when the person has done it. */
export function manualProvider(ask: (text: string) => Promise<void>): Encoder {
  return {
    name: 'manual',
    async broadcast({ id, streamKey }, seconds) {
      await ask(
        `Go live on stream ${JSON.stringify(id)} with the stream key ${JSON.stringify(streamKey ?? 'unknown')} for about ${seconds} seconds, then end the stream`,
      );
      return undefined;
    },
  };
}
