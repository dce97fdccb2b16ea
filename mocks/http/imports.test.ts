import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
import { parseState } from '../service/state-lines.ts';
import { createImports } from './imports.ts';
import { readErrors, stateText, testRequest } from './request.test-support.ts';

/** A body that waits until it is told to come, and whether anybody has asked for it. */
function waitingBody(text: string) {
  const asked = { times: 0 };
  const told = new AbortController();
  const { signal } = told;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.times += 1;
        if (!signal.aborted) await once(signal, 'abort');
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { asked, stream, come: () => told.abort() };
}

async function exported(mock: Mock): Promise<string> {
  return stateText((await mock.world()).exportState());
}

test('the body of a control operation is not read where the key is missing', async () => {
  const { asked, stream } = waitingBody('{}');
  const request = testRequest('PUT /_mock/state', { authorization: null, body: stream });
  const response = await createMock().fetch(request);
  expect(response.status).toBe(401);
  expect((await readErrors(response))[0]).toContain('header authorization: expected');
  expect(asked.times).toBe(0);
});

test('an import that is sent slowly holds nobody up, whatever their key', async () => {
  const mock = createMock();
  const text = await exported(mock);
  const slow = waitingBody(text);
  const put = (body: ReadableStream<Uint8Array> | string, authorization: string) =>
    mock.fetch(testRequest('PUT /_mock/state', { body, authorization }));
  const last = put(slow.stream, 'Bearer test-slow');
  await expect.poll(() => slow.asked.times).toBe(1);
  expect((await put(text, 'Bearer test-other')).status).toBe(204);
  expect((await put(text, 'Bearer test-slow')).status).toBe(204);
  slow.come();
  expect((await last).status).toBe(204);
});

test('an import that fails lets the next one in', async () => {
  const mock = createMock();
  const put = (body: string) => mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect((await put('{')).status).toBe(400);
  expect((await put(await exported(mock))).status).toBe(204);
});

test('imports that are too much together are refused until some of them have ended', async () => {
  const text = await exported(createMock());
  const { read } = createImports(text.length);
  const waiting = [waitingEnd(text), waitingEnd(text)];
  const put = (body: ReadableStream<Uint8Array> | string) =>
    read(testRequest('PUT /_mock/state', { body }), async ({ streams }) => streams);
  const first = waiting.map(({ stream }) => put(stream));
  await expect.poll(() => waiting.map(({ asked }) => asked.times)).toEqual([2, 2]);
  await expect(put(text)).rejects.toThrow(
    `body: expected at most ${2 * text.length} bytes of all imports together, got more; send it again when others have been read`,
  );
  for (const { come } of waiting) come();
  expect(await Promise.all(first)).toEqual([[], []]);
  expect(await put(text)).toEqual([]);
});

const version1 =
  'body: expected an exported state of version 2, got one of version 1; import it into a mock of the version that wrote it, or arrange the world again and export it';
const asItIs = 'send the file as it is, with curl by --data-binary @FILE';

describe('a text that is no exported state is refused with the number of its line, and changes nothing', () => {
  test.each<readonly [string, (lines: string[]) => string[], number, string | RegExp]>([
    ['nothing', () => [], 422, /^body: expected a last line .*, got none after 0 lines$/],
    ['version 1', () => ['{"version":1,"now":0,"streams":[]}'], 422, version1],
    ['version 1 in lines', () => ['{\n  "version": 1,\n  "now": 0'], 422, version1],
    [
      'version 1, in one long line',
      () => [`{"version":1,"now":0,"streams":[${'{},'.repeat(500_000)}`],
      422,
      version1,
    ],
    [
      'another version',
      ([first = '', ...more]) => [first.replace('"version":2', '"version":3'), ...more],
      422,
      /^line 1, version: expected 2, .*, got 3$/,
    ],
    [
      'no JSON',
      (lines) => lines.with(2, '{"kind":"stream"'),
      400,
      'line 3: expected JSON, got its end at line 1, column 17',
    ],
    [
      'no line breaks',
      (lines) => [lines.join('')],
      400,
      new RegExp(`^line 1: expected JSON, got .*; ${asItIs}$`),
    ],
    [
      'a long line',
      (lines) => lines.with(1, ' '.repeat(2 ** 20 + 1)),
      413,
      'line 2: expected at most 1048576 bytes, got more',
    ],
    [
      'no object',
      (lines) => lines.with(1, '[]'),
      422,
      'line 2: expected an object with the keys kind and value, got an array of 0',
    ],
    [
      'an unknown kind',
      (lines) => lines.with(1, '{"kind":"x","value":1}'),
      422,
      /^line 2, kind: expected one of state, stream, .*, got "x"$/,
    ],
    [
      'another first line',
      (lines) => lines.slice(1),
      422,
      'line 1: expected state, which begins an exported state, got "stream"',
    ],
    [
      'two first lines',
      ([first = '', ...more]) => [first, first, ...more],
      422,
      'line 2: expected the end of the state, got "state"',
    ],
    [
      'a wrong record',
      (lines) => lines.with(3, (lines[3] ?? '').replace('"record":', '"records":')),
      422,
      /^line 4: expected no keys but|^line 4/,
    ],
    [
      'deep JSON',
      (lines) => lines.with(1, `{"kind":"stream","value":${'['.repeat(40)}${']'.repeat(40)}}`),
      400,
      'line 2: expected at most 32 levels of nesting, got more',
    ],
    [
      '__proto__',
      (lines) => lines.with(1, '{"kind":"stream","value":{"__proto__":1}}'),
      400,
      'line 2, value: expected no key named __proto__, got one',
    ],
    [
      'half a file',
      (lines) => lines.slice(0, 7),
      422,
      /^body: expected a last line .*, got none after 7 lines$/,
    ],
    [
      'a missing line',
      (lines) => lines.toSpliced(5, 1),
      422,
      /^body: expected a last line .*, got \d+ after \d+ lines$/,
    ],
    [
      'a line after the end',
      (lines) => [...lines, '{"kind":"end","value":{"lines":1}}'],
      422,
      /^line \d+: expected the end of the state, got "end"$/,
    ],
  ])('%s', async (_, change, status, text) => {
    const mock = createMock({ world: 'demo' });
    const before = await exported(mock);
    const lines = change(before.trimEnd().split('\n'));
    const body = new TextEncoder().encode(lines.join('\n'));
    const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
    expect(response.status).toBe(status);
    const [error] = await readErrors(response);
    expect(error).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
    expect(await exported(mock)).toBe(before);
  });

  test('bytes that are no UTF-8', async () => {
    const response = await createMock().fetch(
      testRequest('PUT /_mock/state', { body: Uint8Array.from([0x22, 0xff, 0x22]) }),
    );
    expect(await readErrors(response)).toEqual([
      `line 1: expected UTF-8, got bytes that are no valid UTF-8; ${asItIs}`,
    ]);
  });

  test('more bytes than are allowed', async () => {
    const mock = createMock({ world: 'demo', maxImport: 1_000 });
    const response = await mock.fetch(
      testRequest('PUT /_mock/state', { body: await exported(mock) }),
    );
    expect(response.status).toBe(413);
    expect((await readErrors(response))[0]).toMatch(/^body: expected at most 1000 bytes, got more/);
  });
});

test('an exchange that would not fit into a line is exported without the body of its response', async () => {
  const mock = createMock();
  const world = await mock.world();
  for (const letter of 'abcdefghijkl') {
    await world.createStream({ name: letter.repeat(100_000) });
  }
  await mock.fetch(testRequest('GET /api/stream', { authorization: 'Bearer test-demo' }));
  const answer = await mock.fetch(
    testRequest('GET /_mock/state?journal=1', { authorization: 'Bearer test-demo' }),
  );
  const state = await parseState(await answer.text());
  expect(state.journal).toMatchObject([{ operation: 'listStreams', answer: { status: 200 } }]);
  expect(state.journal?.[0]?.answer).not.toHaveProperty('body');
});

/** A body that is there but for its end. */
function waitingEnd(text: string) {
  const asked = { times: 0 };
  const told = new AbortController();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.times += 1;
        if (asked.times === 1) return controller.enqueue(new TextEncoder().encode(text));
        if (!told.signal.aborted) await once(told.signal, 'abort');
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { asked, stream, come: () => told.abort() };
}
