import { execFileSync } from 'node:child_process';
import {
  appendFile,
  copyFile,
  link,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile, temporaryFolder } from '../../tools/temporary.test-support.ts';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';
import { seal } from './change-line.ts';
import { during, spyOnAppends } from './file.test-support.ts';
import { type FileStore, fileStore } from './file.ts';

test('a world continues where it was, with its seed', async () => {
  const path = temporaryFile('state.json');
  const before = await during(path, async (store) =>
    (await createMock({ world: 'demo', store }).world()).exportState(),
  );
  const [after, restarted] = await during(path, async (store) => {
    const world = await createMock({ seed: 'other', store }).world();
    const found = world.exportState();
    await world.reset();
    return [found, world.exportState()];
  });
  expect(after).toEqual(before);
  expect(restarted).toEqual((await createMock().world()).exportState());
});

test('a player finds its recording before any request with a key', async () => {
  const path = temporaryFile('state.json');
  const urls = await during(path, async (store) => {
    const sessions = (await createMock({ world: 'demo', store }).world('test-hers')).sessions();
    return sessions.flatMap(({ mp4URL = [] }) => mp4URL);
  });
  expect(urls).not.toEqual([]);
  await during(path, async (store) => {
    const { fetch } = createMock({ world: 'demo', store });
    const answers = urls.map(async (url) => (await fetch(new Request(url))).status);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });
});

test('given keys are not in the file, which only its owner can read', async () => {
  const path = temporaryFile('state.json');
  await during(path, async (store) => {
    const mock = createMock({ world: 'demo', apiKeys: ['hush-hush'], store });
    await (await mock.world()).createStream({ name: 'quiet' });
  });
  expect(await readFile(path, 'utf8')).not.toContain('hush');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a response shows the world right after its change, whatever happens before the change is written', async () => {
  const path = temporaryFile('state.json');
  await during(path, async (store) => {
    const world = await createMock({ store }).world();
    const { id, playbackId } = await world.createStream({ name: 'short-lived' });
    const [session] = await Promise.all([world.start(id), world.deleteStream(id)]);
    expect(session).toMatchObject({ isActive: true, playbackId });
  });
});

test('closing waits for what is being written', async () => {
  const path = temporaryFile('state.json');
  const store = await fileStore(path);
  const worlds = await openWorlds(store, ['test-a', 'test-b']);
  const writes = worlds.map((world) => world.createStream({ name: 'late' }));
  await store.close();
  await expect(Promise.all(writes)).resolves.toHaveLength(2);
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  expect((await readFile(path, 'utf8')).match(/"name":"late"/g)).toHaveLength(2);
});

test('only one mock at a time can open a file', async () => {
  const path = temporaryFile('state.json');
  const [symbolicLink, hardLink] = [`${path}.symbolic`, `${path}.hard`];
  await during(path, async (store) => {
    await createMock({ store }).world();
    await symlink(path, symbolicLink);
    await link(path, hardLink);
    for (const [name, file] of [
      [path, path],
      [symbolicLink, path],
      [hardLink, hardLink],
    ] as const) {
      await expect(fileStore(name)).rejects.toThrow(
        `data: expected a file that no other mock has open, got ${file}, which is open in process ${process.pid}; stop that process, or give another file`,
      );
    }
  });
  await during(path, (store) => store.names());
});

test('a closed store keeps nothing more, and leaves the file to its new owner', async () => {
  const path = temporaryFile('state.json');
  const first = await fileStore(path);
  const mock = createMock({ store: first });
  const late = (await mock.world()).createStream({ name: 'under way' });
  await first.close();
  await late.catch(() => {});
  await during(path, async (second) => {
    await (await createMock({ store: second }).world()).createStream({ name: 'hers' });
    const written = await readFile(path, 'utf8');
    const answer = await mock.fetch(testRequest('POST /api/stream', { body: '{"name":"his"}' }));
    expect(answer.status).toBe(507);
    expect(await readErrors(answer)).toEqual([
      `store: could not save the change ("${path} was closed"); the change is in effect and will be saved with the next one`,
    ]);
    expect(await readFile(path, 'utf8')).toBe(written);
  });
});

test('a change that was partly written is kept completely with the next one', async () => {
  const path = temporaryFile('state.json');
  await during(path, async (store) => {
    const world = await createMock({ store }).world();
    await world.createStream({ name: 'first' });
    const writes = await spyOnAppends();
    writes.mockImplementationOnce(async (text) => {
      await appendFile(path, String(text).slice(0, 10));
      throw new Error('the disk is full');
    });
    await expect(world.createStream({ name: 'second' })).rejects.toThrow('the disk is full');
    await world.createStream({ name: 'third' });
  });
  expect(await readNames(path)).toEqual(['third', 'second', 'first']);
});

test('closing tries every unwritten change, reports one that is lost, and releases the file', async () => {
  const path = temporaryFile('state.json');
  const store = await fileStore(path);
  const writes = await spyOnAppends();
  const full = new Error('the disk is full');
  for (const world of await openWorlds(store, ['test-lost', 'test-demo'])) {
    writes.mockRejectedValueOnce(full);
    await expect(world.createStream({ name: 'late' })).rejects.toThrow(full.message);
  }
  writes.mockRejectedValueOnce(full);
  const message = 'store: could not save the change ("the disk is full"); the change is lost';
  await expect(store.close()).rejects.toThrow(message);
  expect(await readNames(path)).toEqual(['late']);
});

/** What something else may do to the file of a mock. */
const harms: readonly [name: string, harm: (path: string) => Promise<void>][] = [
  ['appended to', (path) => appendFile(path, 'more')],
  ['removed', (path) => rm(path)],
  [
    'replaced',
    async (path) => {
      await copyFile(path, `${path}.other`);
      await rename(`${path}.other`, path);
    },
  ],
];

test.each(harms)(
  'the store cannot be used once something else has %s the file',
  async (_, harm) => {
    const path = temporaryFile('state.json');
    const store = await fileStore(path);
    onTestFinished(() => store.close().catch(() => {}));
    await expect(store.ping?.()).resolves.toBeUndefined();
    await harm(path);
    await expect(store.ping?.()).rejects.toThrow('was written or removed by something else');
  },
);

test.each(harms)('a change is refused once something else has %s the file', async (_, harm) => {
  const path = temporaryFile('state.json');
  const store = await fileStore(path);
  const world = await createMock({ store }).world();
  await harm(path);
  const harmed = await readFile(path, 'utf8').catch(() => '');
  await expect(world.createStream({ name: 'late' })).rejects.toThrow(
    `${path} was written or removed by something else; start this mock again`,
  );
  await expect(store.close()).rejects.toThrow('the change is lost');
  expect(await readFile(path, 'utf8').catch(() => '')).toBe(harmed);
});

const isAnother = 'another; give another file, or move this one away to start afresh';
const isOfVersion = (version: number) =>
  `one of version ${version}; export its worlds with the livestream-mock that wrote it, or move it away to start afresh`;
const lacksFirstLine =
  'one whose first line is missing; restore the file, or move it away to start afresh';

test.each([
  ['of another program', '{"theme":"dark"}', isAnother],
  ['of version 1', '0123abcd 48 {"format":"livestream-mock worlds","version":1}\n', isAnother],
  ['of version 2', seal({ kind: 'livestream-mock worlds', version: 2 }), isOfVersion(2)],
  ['of a later version', seal({ kind: 'livestream-mock worlds', version: 5 }), isOfVersion(5)],
  ['without its first line', seal({ after: '01234567', world: 'test-a' }), lacksFirstLine],
])('a file that this version cannot read is refused and not changed: %s', async (_, text, got) => {
  const path = temporaryFile('state.json');
  await writeFile(path, text);
  const message = `data: ${path}: expected a file of worlds of version 4, got ${got}`;
  await expect(fileStore(path)).rejects.toThrow(message);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test.each([
  ['no/state.json', 'ENOENT: no such file or directory', async () => {}],
  ['.', 'not a regular file; name one', async () => {}],
  [
    'pipe',
    'not a regular file; name one',
    async (path: string) => void execFileSync('mkfifo', [path]),
  ],
])('a path that cannot be a file is refused: %s', async (name, reason, prepare) => {
  const path = join(temporaryFolder(), name);
  await prepare(path);
  await expect(fileStore(path)).rejects.toThrow(
    `data: expected a file that can be read and written, got ${path.replace(/\/$/, '')}: ${reason}`,
  );
});

function openWorlds(store: FileStore, keys: readonly string[]): Promise<World[]> {
  const mock = createMock({ store });
  return Promise.all(keys.map((key) => mock.world(key)));
}

/** The names of the streams in a file, newest first. */
async function readNames(path: string): Promise<string[]> {
  const world = await during(path, (store) => createMock({ store }).world());
  return world.streams().map(({ name }) => name);
}
