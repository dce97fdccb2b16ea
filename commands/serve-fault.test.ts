import { expect, test } from 'vitest';
import { type Serving, startServing } from '../tools/command-line.test-support.ts';

const refusal = '{"effect":"status","status":503,"operation":"createStream","times":1}';
const slowness = '{"effect":"delay","delay":"1ms","operation":"retrieveSession"}';

async function create({ baseUrl }: Serving, apiKey: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"name":"Harbour camera"}',
  });
  return answer.status;
}

test('every world starts with the faults that are given', async () => {
  const server = await startServing('--fault', refusal);
  for (const apiKey of ['test-a', 'test-b']) {
    expect([await create(server, apiKey), await create(server, apiKey)]).toEqual([503, 201]);
  }
  expect(await server.stop()).toMatchObject({ status: 0, stderr: '' });
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a fault that matched no request in any world is named at the end: %s',
  async (signal) => {
    const server = await startServing('--fault', refusal, '--fault', slowness);
    await create(server, 'test-a');
    await fetch(`${server.baseUrl}/stream`, { headers: { authorization: 'Bearer test-b' } });
    expect(await server.stop(signal)).toMatchObject({
      status: 0,
      stderr: `unused fault: ${slowness}\n`,
    });
  },
);

test('a reset does not forget what a fault has matched', async () => {
  const server = await startServing('--fault', refusal);
  expect(await create(server, 'test-a')).toBe(503);
  const headers = { authorization: 'Bearer test-a' };
  await fetch(`${server.controlUrl}/reset`, { method: 'POST', headers });
  expect(await server.stop()).toMatchObject({ status: 0, stderr: '' });
});
