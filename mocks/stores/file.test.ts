import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readErrors, testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { during, newFolder, newPath } from './file.test-support.ts';
import { type FileStore, fileStore } from './file.ts';

test('a world goes on where it was, from its first look on; a reset goes by the options of now', async () => {
  const path = await newPath();
  const before = await during(path, async (store) =>
    (await createMock({ world: 'demo', store }).world()).exportState(),
  );
  const [after, restarted] = await during(path, async (store) => {
    const world = await createMock({ seed: 'other', store }).world();
    const found = world.exportState();
    await world.reset();
    return [found, world.exportState()];
  });
  expect(after).toEqual({ ...before, seed: 'other' });
  expect(restarted).toEqual((await createMock({ seed: 'other' }).world()).exportState());
});

test('every world of a mock is in the file', async () => {
  const path = await newPath();
  const worlds = await during(path, async (store) => {
    const mock = createMock({ store });
    const names = ['test-a', 'test-b', 'test-c'];
    await Promise.all(
      names.map(async (key) => (await mock.world(key)).createStream({ name: key })),
    );
    return names;
  });
  expect(await during(path, (store) => store.names())).toEqual(worlds);
});

test('a reset is kept', async () => {
  const path = await newPath();
  await during(path, async (store) => {
    const world = await createMock({ store }).world();
    await world.createStream({ name: 'gone' });
    await world.reset();
  });
  await during(path, async (store) => {
    expect((await createMock({ store }).world()).streams()).toEqual([]);
  });
});

test('the clock goes on while nobody looks, ahead as far as it was', async () => {
  const path = await newPath();
  const runAt = (now: number) =>
    during(path, async (store) => {
      const { clock } = await createMock({ now: () => now, store }).world();
      return clock.advance('1h');
    });
  const first = await runAt(Date.UTC(2026, 0, 1));
  const second = await runAt(Date.UTC(2026, 0, 2));
  expect(second - first).toBe(25 * 3_600_000);
});

test('a player finds its recording before any request with a key', async () => {
  const path = await newPath();
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

test('keys that were given are not in the file, which is for its owner alone', async () => {
  const path = await newPath();
  await during(path, async (store) => {
    const mock = createMock({ world: 'demo', apiKeys: ['hush-hush'], store });
    await (await mock.world()).createStream({ name: 'quiet' });
  });
  expect(await readFile(path, 'utf8')).not.toContain('hush');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('changes that come at once are written together', async () => {
  const path = await newPath();
  const saved = { at: 0, state: (await createMock().world()).exportState() };
  await during(path, async (store) => {
    let reads = 0;
    const read = () => {
      reads += 1;
      return saved;
    };
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.save(`test-${index % 2}`, read)),
    );
    expect(reads).toBe(2);
  });
});

test('changes of one world do not wait for each other to be written', async () => {
  const path = await newPath();
  await during(path, async (store) => {
    let writes = 0;
    const save: FileStore['save'] = (name, read) =>
      store.save(name, () => {
        writes += 1;
        return read();
      });
    const world = await createMock({ store: { ...store, save } }).world();
    await Promise.all(
      Array.from({ length: 50 }, () => world.createStream({ name: 'one of many' })),
    );
    expect(writes).toBeLessThan(25);
    const { worlds } = JSON.parse(await readFile(path, 'utf8'));
    expect(worlds['test-demo'].state.streams).toHaveLength(50);
  });
});

test('an answer is of the moment of its change, whatever follows before it is written', async () => {
  const path = await newPath();
  await during(path, async (store) => {
    const world = await createMock({ store }).world();
    const { id, playbackId } = await world.createStream({ name: 'short-lived' });
    const [session] = await Promise.all([world.start(id), world.deleteStream(id)]);
    expect(session).toMatchObject({ isActive: true, playbackId });
  });
});

test('a link to a file stays one', async () => {
  const path = await newPath();
  const link = join(path, '..', 'link.json');
  await during(path, async (store) => createMock({ store }).world());
  await symlink(path, link);
  await during(link, async (store) => {
    await (await createMock({ store }).world()).createStream({ name: 'through the link' });
  });
  expect(await readFile(path, 'utf8')).toContain('through the link');
});

test('closing waits for what is being written', async () => {
  const path = await newPath();
  const store = await fileStore(path);
  const saved = { at: 0, state: (await createMock().world()).exportState() };
  const writes = ['a', 'b'].map((name) => store.save(name, () => saved));
  await store.close();
  await expect(Promise.all(writes)).resolves.toBeDefined();
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
  expect(Object.keys(JSON.parse(await readFile(path, 'utf8')).worlds)).toEqual(['a', 'b']);
});

test('what cannot be kept is answered as such, and is kept with the next change', async () => {
  const folder = join(await newFolder(), 'unplugged');
  await mkdir(folder);
  const path = join(folder, 'state.json');
  await during(path, async (store) => {
    const { fetch } = createMock({ store });
    const create = (name: string) =>
      fetch(testRequest('POST /api/stream', { body: JSON.stringify({ name }) }));
    expect((await create('first')).status).toBe(201);
    await rm(folder, { recursive: true });
    const answer = await create('second');
    expect(answer.status).toBe(507);
    expect((await readErrors(answer))[0]).toContain(
      `data: expected room for the change in ${path}`,
    );
    const authorization = 'Bearer test-late';
    expect((await fetch(testRequest('GET /api/stream', { authorization }))).status).toBe(200);
    await mkdir(folder);
    expect((await create('third')).status).toBe(201);
  });
  const world = await during(path, (store) => createMock({ store }).world(testKey));
  expect(world.streams().map(({ name }) => name)).toEqual(['third', 'second', 'first']);
});

const state = (await createMock({ world: 'demo' }).world()).exportState();
const inWorld = (change: object) =>
  JSON.stringify({ version: 1, worlds: { 'test-a': { at: 0, state: { ...state, ...change } } } });

test.each([
  ['empty', '', 'expected JSON, got its end at line 1, column 1'],
  ['broken', '{"version":1,\n"worlds":{]}', 'expected JSON, got "]}" at line 2, column 11'],
  ['another', '[]', 'body: expected an object with the keys version and worlds, got an array of 0'],
  ['of the future', '{"version":2,"worlds":{}}', 'version: expected 1, got 2'],
  [
    'wrong',
    inWorld({ now: -1 }),
    'worlds["test-a"]: state.now: expected a whole number, 0 or above, got -1',
  ],
  [
    'contradictory',
    inWorld({ streams: [] }),
    `worlds["test-a"]: sessions[0].parentId: expected the id of a stream in streams, got "${state.sessions[0]?.parentId}"`,
  ],
])('a file that no mock has written is refused and left alone: %s', async (_, contents, fault) => {
  const path = await newPath();
  await writeFile(path, contents);
  await expect(fileStore(path)).rejects.toThrow(
    `data: ${path}: ${fault}; give another file, or move this one away to start afresh`,
  );
  expect(await readFile(path, 'utf8')).toBe(contents);
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
});

test.each([
  ['no/state.json', 'whose folder does not exist; make the folder first'],
  ['.', 'which is a folder; name a file in it'],
])('a place where no file can be is refused: %s', async (name, fault) => {
  const path = join(await newFolder(), name);
  await expect(fileStore(path)).rejects.toThrow(
    `data: expected a file that can be read and written, got ${path.replace(/\/$/, '')}, ${fault}`,
  );
});
