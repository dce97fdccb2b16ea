import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../fixtures/random.ts';
import { ask, type Serving, startServing } from '../tools/command-line.test-support.ts';
import { byNight } from '../tools/nightly.test-support.ts';
import { startServingProcess } from '../tools/process.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

/** A stream as the server has acknowledged it. */
interface Acknowledged {
  readonly apiKey: string;
  readonly id: string;
  readonly text: string;
}

async function create(server: Serving, apiKey: string): Promise<Acknowledged> {
  const text = await (await ask(server, 'POST /stream', apiKey, { name: 'Harbour camera' })).text();
  return { apiKey, text, id: JSON.parse(text).id };
}

/** Creates one stream after the other, until the server is gone. */
async function createUntilKilled(
  server: Serving,
  apiKey: string,
  acknowledge: (stream: Acknowledged) => void,
): Promise<void> {
  try {
    for (;;) acknowledge(await create(server, apiKey));
  } catch (exception) {
    expect(String(exception)).toMatch(/fetch failed|terminated/);
  }
}

async function readStream(server: Serving, { apiKey, id }: Acknowledged): Promise<string> {
  return (await ask(server, `GET /stream/${id}`, apiKey)).text();
}

const apiKeys = ['test-a', 'test-b', 'test-c'];

test('a server loses nothing that it has acknowledged, whenever it is killed', async () => {
  const random = createRandom('killed at any moment');
  const path = temporaryFile('state.json');
  const start = () => startServingProcess('--world', 'empty', '--data', path);
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < byNight(15, 5); round++) {
    const server = await start();
    acknowledged.push(await create(server, 'test-a'));
    let left = random.integer(1, 40);
    const acknowledge = (stream: Acknowledged): void => {
      acknowledged.push(stream);
      left -= 1;
      // The other clients' requests are under way at this moment.
      if (left === 0) void server.stop('SIGKILL');
    };
    await Promise.all(
      [...apiKeys, ...apiKeys].map((apiKey) => createUntilKilled(server, apiKey, acknowledge)),
    );
    await server.stop('SIGKILL');
    const kept = await readFile(path, 'utf8');
    expect(acknowledged.filter(({ id }) => !kept.includes(id))).toEqual([]);
  }
  const server = await start();
  expect(await Promise.all(acknowledged.map((stream) => readStream(server, stream)))).toEqual(
    acknowledged.map(({ text }) => text),
  );
  expect(new Set(acknowledged.map(({ apiKey }) => apiKey))).toEqual(new Set(apiKeys));
}, 60_000);

test('a server that is stopped leaves one file, from which the next one continues', async () => {
  const path = temporaryFile('state.json');
  const options = ['--data', path, '--api-key', 'hush-hush'];
  const first = await startServing(...options);
  const stream = await create(first, 'hush-hush');
  expect(await first.stop('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  expect(await readFile(path, 'utf8')).not.toContain('hush');
  // As though the server had been killed while it wrote.
  await appendFile(path, '{"kind":"stream","worl');
  const second = await startServing(...options);
  expect(await readStream(second, stream)).toBe(stream.text);
  expect((await second.stop()).stderr).toBe(
    `livestream-mock: data: ${path} ended in a change that was only partly written; its 22 bytes were removed\n`,
  );
});
