import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, startServing } from '../tools/command-line.test-support.ts';

test('a mock that is broken on purpose does not conform, for that reason', async () => {
  const server = await startServing(
    '--world',
    'empty',
    '--break',
    'record-answers-200',
    '--recording-delay',
    '10ms',
  );
  onTestFinished(() => server.stop().then(() => {}));
  const { status, stdout } = await runCommand(
    ...['check', '--base-url', server.baseUrl, '--control-url', server.controlUrl],
    ...['--api-key', 'test-check'],
  );
  expect(stdout).toContain('expected status 204 and no body, got 200');
  expect(status).toBe(1);
});

test('a connection goes on behind a body that a broken mock refuses as too large', async () => {
  const server = await startServing('--world', 'empty', '--break', 'record-answers-200');
  onTestFinished(() => server.stop().then(() => {}));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
  const send = async (method: string, path: string, body = '') => {
    const sent = request(server.baseUrl + path, { method, headers, agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await response.toArray();
    return { status: response.statusCode, reused: sent.reusedSocket };
  };
  const large = JSON.stringify({ record: true, more: 'x'.repeat(400_000) });
  expect(await send('PATCH', '/stream/none/record', large)).toEqual({ status: 413, reused: false });
  expect(await send('GET', '/stream')).toEqual({ status: 200, reused: true });
});

test('--break list prints the name of every mutant, and which rule it breaks', async () => {
  const { status, stdout } = await runCommand('serve', '--break', 'list');
  expect(stdout).toMatch(/^record-answers-200: breaks RECORD-1: Turning recording on /m);
  expect(status).toBe(0);
});
