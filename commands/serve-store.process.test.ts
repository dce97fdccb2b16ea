import { expect, test } from 'vitest';
import { startRedis } from '../mocks/stores/redis.test-support.ts';
import {
  ask,
  type Serving,
  startServing,
  startTalking,
} from '../tools/command-line.test-support.ts';

async function create(server: Serving, name: string): Promise<number> {
  return (await ask(server, 'POST /stream', 'test-team', { name })).status;
}

test('a server that is stopped hands its worlds to the next one', async () => {
  const { url } = await startRedis();
  const store = ['--world', 'empty', '--store', url];
  const first = await startServing(...store);
  const second = await startServing(...store);
  expect(await create(first, 'kept')).toBe(201);
  expect(await first.stop('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
  const kept = await ask(second, 'GET /stream', 'test-team');
  expect(await kept.json()).toMatchObject([{ name: 'kept' }]);
});

test('the password of Redis is not shown', async () => {
  const { url, client } = await startRedis();
  await client.configSet('requirepass', 'hush-hush');
  const { said, stop } = await startTalking('--store', url.replace('//', '//:hush-hush@'));
  expect(said).toContain(`livestream-mock is serving the worlds in ${url}\n`);
  expect(said + JSON.stringify(await stop())).not.toContain('hush');
});

test('a change that is lost because Redis stays away is reported at the end', async () => {
  const redis = await startRedis();
  const server = await startServing('--store', redis.url);
  await create(server, 'kept');
  await redis.kill();
  expect(await create(server, 'lost')).toBe(507);
  const { status, stderr } = await server.stop('SIGTERM');
  const address = redis.url.replaceAll('/', '\\/');
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      new RegExp(`^livestream-mock: store: no response from ${address} \\(".+"\\); `),
    ),
    expect.stringMatching(
      /^livestream-mock: world test-team: store: could not save the change \(".+"\); the change is in effect/,
    ),
    expect.stringMatching(
      /^livestream-mock: store: could not save the change \(".+"\); the change is lost$/,
    ),
    '',
  ]);
  expect(status).toBe(1);
});

test('a Redis that goes away is reported without a request, and so is its return', async () => {
  const redis = await startRedis();
  const server = await startServing('--store', redis.url, '--log', 'json');
  await redis.kill();
  await redis.start();
  const health = async () => (await fetch(`${server.controlUrl}/health`)).status;
  await expect.poll(health).toBe(200);
  const { stderr } = await server.stop('SIGTERM');
  const notices = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).notice);
  expect(notices.filter(Boolean)).toEqual(['store-away', 'store-back']);
});

test('what Redis has lost is reported at once, and again at the end', async () => {
  const { url, client } = await startRedis();
  const server = await startServing('--store', url);
  expect(await create(server, 'kept')).toBe(201);
  await client.flushAll();
  // Another server opens the world before this one notices.
  const other = await startServing('--store', url);
  expect(await create(other, 'afresh')).toBe(201);
  expect(await create(server, 'refused')).toBe(503);
  const loss =
    /livestream-mock: store: Redis has lost acknowledged changes of 1 world: "test-team"; requests now get what Redis still has; .*\n/;
  const { status, stderr } = await server.stop('SIGTERM');
  expect(stderr.match(new RegExp(loss, 'g'))).toHaveLength(2);
  expect(status).toBe(1);
  expect(await other.stop('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
});
