import { expect, test } from 'vitest';
import { refusedPorts } from './refused-ports.ts';

/** Whether `fetch` refuses the port itself: it does before it connects, or sees that it is aborted. */
async function isRefused(port: number): Promise<boolean> {
  const dispatcher = {
    dispatch() {
      throw new Error('asked');
    },
  };
  const init: object = { dispatcher };
  const error: Error = await fetch(`http://127.0.0.1:${port}/`, init).catch((thrown) => thrown);
  return error.cause instanceof Error && error.cause.message === 'bad port';
}

test('they are those that fetch refuses', async () => {
  const ports = Array.from({ length: 12_000 }, (_, index) => index + 1);
  const refused: number[] = [];
  for (const port of ports) if (await isRefused(port)) refused.push(port);
  expect(refused).toEqual([...refusedPorts]);
});
