import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../fixtures/random.ts';
import { stateText } from '../mocks/http/request.test-support.ts';
import { createMock } from '../mocks/mock.ts';
import {
  runCommand,
  type Serving,
  startServing,
  startTalking,
} from '../tools/command-line.test-support.ts';
import { byNight } from '../tools/nightly.test-support.ts';
import { startServingOnFullDisk, startServingProcess } from '../tools/process.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

/** A stream as the server has acknowledged it. */
interface Acknowledged {
  readonly apiKey: string;
  readonly id: string;
  readonly text: string;
}

async function create({ baseUrl }: Serving, apiKey: string): Promise<Acknowledged> {
  const answer = await fetch(`${baseUrl}/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"name":"Harbour camera"}',
  });
  const text = await answer.text();
  return { apiKey, text, id: JSON.parse(text).id };
}

async function record(
  { baseUrl }: Serving,
  { apiKey, id }: Acknowledged,
  on: boolean,
): Promise<number> {
  const answer = await fetch(`${baseUrl}/stream/${id}/record`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ record: on }),
  });
  return answer.status;
}

/** Creates one stream after the other, until the server is gone. */
async function createUntilKilled(
  server: Serving,
  apiKey: string,
  acknowledge: (stream: Acknowledged) => void,
): Promise<void> {
  try {
    for (;;) acknowledge(await create(server, apiKey));
  } catch (error) {
    expect(String(error)).toMatch(/fetch failed|terminated/);
  }
}

async function readStream({ baseUrl }: Serving, { apiKey, id }: Acknowledged): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await fetch(`${baseUrl}/stream/${id}`, { headers })).text();
}

const apiKeys = ['test-a', 'test-b', 'test-c'];

test('a server that is killed at any moment loses nothing that it has acknowledged', async () => {
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

test('a server that is stopped leaves a file with all that it acknowledged, and no other file', async () => {
  const path = temporaryFile('state.json');
  const first = await startServing('--data', path, '--api-key', 'hush-hush');
  const stream = await create(first, 'hush-hush');
  expect(await first.stop('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  expect(await readFile(path, 'utf8')).not.toContain('hush');
  const second = await startServing('--data', path, '--api-key', 'hush-hush');
  expect(await readStream(second, stream)).toBe(stream.text);
});

test('the banner names the file, and says that kept worlds go on', async () => {
  const path = temporaryFile('state.json');
  const { said } = await startTalking('--world', 'empty', '--data', path);
  expect(said).toContain(`livestream-mock serves the worlds of ${path}\n`);
  expect(said).toContain(
    `  data         ${path} (its worlds continue; --world and --seed apply only to new ones)\n`,
  );
});

test('a second server on the same file is refused', async () => {
  const path = temporaryFile('state.json');
  const first = await startServing('--data', path);
  const second = await runCommand('serve', '--port', '0', '--data', path);
  expect(second.stderr).toMatch(
    /^livestream-mock: option --data: expected a file that no other mock has open, got .*, which process \d+ has; stop that one, or give another file\n$/,
  );
  expect(second.status).toBe(3);
  expect(await readStream(first, await create(first, 'test-a'))).toContain('Harbour camera');
});

test('a file that is not a state is left alone, and the error says what to do', async () => {
  const path = temporaryFile('state.json');
  await writeFile(path, '{"version":1,\n"worlds":');
  expect(await runCommand('serve', '--port', '0', '--data', path)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: option --data: ${path}: expected a file of worlds of version 2, got another; give another file, or move this one away to start afresh\n`,
  });
  expect(await readFile(path, 'utf8')).toBe('{"version":1,\n"worlds":');
});

test('a change that a killed server has half written is cut off, and the next one says so', async () => {
  const path = temporaryFile('state.json');
  const first = await startServingProcess('--data', path);
  const stream = await create(first, 'test-a');
  await first.stop('SIGKILL');
  await appendFile(path, '{"kind":"stream","worl');
  const second = await startServing('--data', path);
  expect(await readStream(second, stream)).toBe(stream.text);
  expect((await second.stop()).stderr).toBe(
    `livestream-mock: data: ${path} ended in a change that was not written to its end; its 22 bytes were removed\n`,
  );
});

test('on a full disk changes are answered with 507, and stored once there is room', async () => {
  const path = temporaryFile('state.json');
  const server = await startServingOnFullDisk(64, '--world', 'empty', '--data', path);
  const stream = await create(server, 'test-a');
  const statuses: number[] = [];
  while (statuses.at(-1) !== 507)
    statuses.push(await record(server, stream, statuses.length % 2 > 0));
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([204]));
  expect(await record(server, stream, false)).toBe(507);
  server.makeRoom();
  expect(await record(server, stream, true)).toBe(204);
  const text = await readStream(server, stream);
  expect(await server.stop()).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  expect(await readStream(await startServing('--data', path), stream)).toBe(text);
});

test('a server that cannot store a change says so when it is stopped, and leaves what it has stored', async () => {
  const path = temporaryFile('state.json');
  const server = await startServingOnFullDisk(64, '--world', 'empty', '--data', path);
  const kept: Acknowledged[] = [];
  for (;;) {
    const stream = await create(server, 'test-a');
    if (stream.id === undefined) break;
    kept.push(stream);
  }
  expect(await server.stop()).toMatchObject({
    status: 1,
    stderr: `livestream-mock: data: expected room for the change in ${path}, got EFBIG: file too large, write; it is lost\n`,
  });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  const next = await startServing('--data', path);
  expect(await Promise.all(kept.map((stream) => readStream(next, stream)))).toEqual(
    kept.map(({ text }) => text),
  );
});

test('an exported state is no file for --data, and is what --world starts from', async () => {
  const path = temporaryFile('state.json');
  const arranged = await createMock().world();
  await arranged.createStream({ name: 'Harbour camera' });
  await writeFile(path, stateText(arranged.exportState()));
  const refused = await runCommand('serve', '--port', '0', '--data', path);
  expect(refused.status).toBe(3);
  expect(refused.stderr).toContain('got an exported state; start from it with --world');
  const { baseUrl } = await startServing('--world', path);
  const response = await fetch(`${baseUrl}/stream`, {
    headers: { authorization: 'Bearer test-a' },
  });
  expect(await response.json()).toMatchObject([{ name: 'Harbour camera' }]);
});

test.each([
  '{"version": 1, "now": 0}',
  '{"kind":"livestream-mock worlds","version":2,"crc32":"0"}',
])('a file that is no exported state is no world: %s', async (text) => {
  const path = temporaryFile('state.json', text);
  const { status, stderr } = await runCommand('serve', '--port', '0', '--world', path);
  expect(status).toBe(3);
  expect(stderr).toContain(
    `${path}: line 1: expected an exported state of version 2, which begins`,
  );
});

test('a folder is no world', async () => {
  const folder = dirname(temporaryFile('state.json'));
  const { stderr } = await runCommand('serve', '--port', '0', '--world', folder);
  expect(stderr).toContain(`${folder}: it is a folder; name a file in it\n`);
});

test('an exported state that is larger than --max-import is no world', async () => {
  const path = temporaryFile('state.json');
  const arranged = await createMock({ world: 'crowded', streams: 2_000 }).world();
  await writeFile(path, stateText(arranged.exportState()));
  const { status, stderr } = await runCommand('serve', '--world', path, '--max-import', '1');
  expect(status).toBe(3);
  expect(stderr).toContain(
    `${path}: expected at most 1048576 bytes, got more; allow more (maxImport, serve --max-import)`,
  );
});
