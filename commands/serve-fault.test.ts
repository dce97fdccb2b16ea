import { expect, test } from 'vitest';
import { runCommand, type Serving, startServing } from '../tools/command-line.test-support.ts';

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

test('a fault is named even if there was no request at all', async () => {
  const server = await startServing('--fault', slowness);
  expect(await server.stop()).toMatchObject({
    status: 0,
    stderr: `unused fault: ${slowness}\n`,
  });
});

test('a fault that was added later is named although an equal one began with the mock', async () => {
  const server = await startServing('--fault', slowness);
  const headers = { authorization: 'Bearer test-a', 'content-type': 'application/json' };
  await fetch(`${server.controlUrl}/faults`, { method: 'POST', headers, body: slowness });
  const { stderr } = await server.stop();
  expect(stderr).toBe(
    `unused fault: ${slowness}\nunused fault in the world of test-a: ${slowness}\n`,
  );
});

test('a reset does not forget what a fault has matched', async () => {
  const server = await startServing('--fault', refusal);
  expect(await create(server, 'test-a')).toBe(503);
  const headers = { authorization: 'Bearer test-a' };
  await fetch(`${server.controlUrl}/reset`, { method: 'POST', headers });
  expect(await server.stop()).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['test-a', [], ' in the world of test-a'],
  ['s3cret-a', ['--api-key', 's3cret-a'], ''],
])('a fault that was added later is named with its world, of %s', async (key, args, where) => {
  const server = await startServing(...args);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await fetch(`${server.controlUrl}/faults`, { method: 'POST', headers, body: slowness });
  expect(await server.stop()).toMatchObject({
    stderr: `unused fault${where}: ${slowness}\n`,
  });
});

test.each([
  ['{effect: 1}', 'expected JSON, got "effect: 1}" at line 1, column 2'],
  ['{"effect":"status","status":200}', 'status: expected a status from 400 to 599, got 200'],
])('%s is not a fault: one sentence says why', async (fault, sentence) => {
  expect(await runCommand('serve', '--port', '0', '--fault', fault)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: option --fault: ${sentence}\n`,
  });
});
