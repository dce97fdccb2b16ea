import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanUp } from './clean-up.ts';
import type { Connection } from './connection.ts';
import { createGate } from './requests/gate.ts';
import { readTarget, sendUntil, type Target, type TargetOptions } from './requests/target.ts';
import { serveHttp } from './servers.test-support.ts';
import { type Creations, createCaller, startCreations } from './streams/creations.ts';

/** Cleans up a target on which a run has created something. */
function clean(
  cleanUpTarget: Target,
  creations: Creations,
  signals: Partial<Pick<Connection, 'stopSignal' | 'cleanUpSignal'>> = {},
): Promise<string[]> {
  const { signal: stopSignal } = new AbortController();
  return cleanUp({
    patience: 1,
    cleanUpTarget,
    creations,
    stopSignal,
    cleanUpSignal: undefined,
    ...signals,
  });
}

/** A target on which a run has created streams. */
function targetWith({ streams }: Creations, options: Omit<TargetOptions, 'apiKey'>): Target {
  const target = readTarget({ apiKey: 'k', ...options }, createGate({ holdsNothingElse: true }));
  const creation = { method: 'POST', url: `${target.baseUrl}/stream` };
  target.gate.admit(creation);
  for (const id of streams) target.gate.learn(creation, { status: 201, json: { id } });
  return target;
}

test.each([
  ['has endless pages of other sessions', '[{"id":"session-of-another","parentId":"another"}]'],
  ['is a page of HTML', '<!doctype html><title>App</title>'],
  ['is an object', '{"data":[]}'],
  ['is an empty body', ''],
])('sessions are found at their stream if the list of all %s', async (_, body) => {
  const { origin } = await serveHttp(({ url }, out) => {
    const ofStream = JSON.stringify([{ id: 'session-of-one', parentId: 'one' }]);
    if (url?.startsWith('/stream/one/sessions')) return out.end(ofStream);
    return out.setHeader('x-next-cursor', crypto.randomUUID()).end(body);
  });
  const creations = { ...startCreations(), streams: ['one'], live: new Set(['one']) };
  const target = targetWith(creations, { baseUrl: origin, timeout: 2_000 });
  expect(await clean(target, creations)).toEqual(['session session-of-one of stream one']);
});

test('a session that appears once its stream is deleted is deleted too, with few requests', async () => {
  const sent: string[] = [];
  const wasSent = (request: string): boolean => sent.includes(request);
  const creations = { ...startCreations(), streams: ['one'], live: new Set(['one']) };
  const target = targetWith(creations, {
    baseUrl: 'http://a.test',
    send: async ({ method, url }) => {
      const request = `${method} ${new URL(url).pathname}`;
      sent.push(request);
      const isThere = wasSent('DELETE /stream/one') && !wasSent('DELETE /stream/its-session');
      if (request !== 'GET /session') return Response.json([]);
      return Response.json(isThere ? [{ id: 'its-session', parentId: 'one' }] : []);
    },
  });
  expect(await clean(target, creations)).toEqual([]);
  const lists = ['GET /stream', 'GET /session'];
  expect(sent).toEqual([
    ...lists,
    'DELETE /stream/one',
    ...lists,
    'DELETE /stream/its-session',
    ...lists,
    'GET /stream/one',
  ]);
});

const withoutId = 'possibly a stream: the response to its creation had no usable id';
const unread = 'possibly a stream: the response to its creation could not be read';

test.each<[what: string, body: string | undefined, why: string, line: string]>([
  ['without a response that could be read', undefined, 'closed', unread],
  ['answered with a page of HTML', '<!doctype html>', '', withoutId],
  ...['a'.repeat(1_025), ''].map((id): [string, string, string, string] => {
    const name = `answered with the id ${JSON.stringify(id.slice(0, 9))}`;
    return [name, JSON.stringify({ id }), 'and that fits into a path', withoutId];
  }),
])('a creation %s is reported', async (_, body, why, line) => {
  const send = async () => {
    if (body === undefined) throw new Error('closed');
    return new Response(body, { status: 201 });
  };
  const creations = startCreations();
  const target = targetWith(creations, { baseUrl: 'http://a.test', timeout: 2_000, send });
  const call = createCaller(target, creations, () => {});
  const created = call({ method: 'POST', path: '/stream' });
  await created.catch((exception: Error) => expect(exception.message).toContain(why));
  expect(await clean(target, creations)).toEqual([line]);
});

const creation = { method: 'POST', path: '/stream', body: { name: 'its name' } };

test('an id that does not fit into a path is named, and not touched', async () => {
  const creations = startCreations();
  const send = async () => Response.json({ id: 'team/1' }, { status: 201 });
  const target = targetWith(creations, { baseUrl: 'http://a.test', send });
  const created = createCaller(target, creations)(creation);
  await expect(created).rejects.toThrow('its id does not fit into a path');
  expect(await clean(target, creations)).toEqual([
    expect.stringMatching(/^stream team\/1: it was not touched, as its id does not fit/),
  ]);
});

test.each([
  ['a redirect', 303, 'had status 303'],
  ['an error that may have come after it', 500, 'had status 500'],
  ['nothing', 202, 'had no usable id'],
])('a stream whose creation was answered with %s is listed by its name', async (_, status, why) => {
  const creations = startCreations();
  const send = async () => new Response(null, { status });
  const target = targetWith(creations, { baseUrl: 'http://a.test', send });
  await createCaller(target, creations)(creation);
  expect(await clean(target, creations)).toEqual([
    expect.stringMatching(/^possibly a stream named "livestream-mock \S+ its name": /),
  ]);
  expect([...creations.unknown.keys()].join()).toContain(why);
});

test('streams whose ids are numbers are deleted', async () => {
  const creations = startCreations();
  const sent: string[] = [];
  const send = async ({ method, url }: Request) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return Response.json({ id: sent.length }, { status: 201 });
  };
  const target = targetWith(creations, { baseUrl: 'http://a.test', send });
  await createCaller(target, creations)(creation);
  expect(await clean(target, creations)).toEqual([]);
  expect(sent).toEqual(['POST /stream', 'DELETE /stream/1', 'GET /stream/1']);
});

test('a stream that is still shown after its deletion was accepted is named', async () => {
  const streams = ['one', 'two', 'three', 'four'];
  const creations = { ...startCreations(), streams, live: new Set(['two']) };
  const target = targetWith(creations, {
    baseUrl: 'http://a.test',
    send: async ({ method, url }) => {
      const id = new URL(url).pathname.replace('/stream/', '');
      if (method === 'DELETE') return new Response(null, { status: 204 });
      return ['two', 'four'].includes(id) ? Response.json({ id }) : Response.json([]);
    },
  });
  expect(await clean(target, creations)).toEqual(
    ['two', 'four'].map(
      (id) => `stream ${id}: the target still shows it, although it accepted its deletion`,
    ),
  );
});

test('a creation that the target asks to send again has created nothing', async () => {
  const creations = startCreations();
  const send = async () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });
  const target = targetWith(creations, { baseUrl: 'http://a.test', send });
  const created = createCaller(target, creations)(creation);
  await expect(created).rejects.toThrow('was asked to wait 8 times (status 503)');
  expect(await clean(target, creations)).toEqual([]);
});

test('cleaning up has 30 s more than its requests need at the rate that the user set', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const streams = Array.from({ length: 100 }, (_, index) => `stream-${index}`);
  const creations = { ...startCreations(), streams };
  const send = () => new Promise<Response>(() => {});
  const target = targetWith(creations, { baseUrl: 'http://a.test', send, rate: 2 });
  const ended = vi.fn();
  void clean(target, creations).then(ended);
  await vi.advanceTimersByTimeAsync(79_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalled();
});

test('a stream whose response echoes the deepest body that is sent is deleted', async () => {
  const deleted: string[] = [];
  const echo = '['.repeat(1_000) + ']'.repeat(1_000);
  const creations = startCreations();
  const target = targetWith(creations, {
    baseUrl: 'http://a.test',
    send: async ({ method, url }) => {
      if (method === 'DELETE') deleted.push(url);
      return new Response(method === 'POST' ? `{"id":"one","echo":${echo}}` : null);
    },
  });
  await createCaller(target, creations, () => {})({ method: 'POST', path: '/stream' });
  expect(await clean(target, creations)).toEqual([]);
  expect(deleted).toEqual(['http://a.test/stream/one']);
});

test('a request that was not sent has created nothing', async () => {
  const creations = startCreations();
  const target = targetWith(creations, { baseUrl: 'http://127.0.0.1:1', timeout: 2_000 });
  for (const one of [target, sendUntil(AbortSignal.abort(), target)]) {
    const call = createCaller(one, creations, () => {});
    await expect(call({ method: 'POST', path: '/stream' })).rejects.toThrow('expected a response');
  }
  expect(await clean(target, creations)).toEqual([]);
});

describe('cleaning up a target that never responds ends', () => {
  const creations = { ...startCreations(), streams: ['one'] };
  const hangs = { baseUrl: 'http://a.test', timeout: 60_000 };
  const target = targetWith(creations, { ...hangs, send: () => new Promise(() => {}) });

  test.each([
    { when: 'after 30 s', stopSignal: new AbortController().signal, milliseconds: 30_000 },
    { when: '5 s after an interruption', stopSignal: AbortSignal.abort(), milliseconds: 5_000 },
  ])('$when', async ({ stopSignal, milliseconds }) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const ended = vi.fn();
    const cleaned = clean(target, creations, { stopSignal });
    void cleaned.then(ended);
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(['stream one']);
  });

  test('and an interruption after that starts no timer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const late = new AbortController();
    const cleanUpSignal = AbortSignal.abort();
    await clean(target, creations, { stopSignal: late.signal, cleanUpSignal });
    late.abort();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('at once, if it is stopped', async () => {
    const cleanUpSignal = AbortSignal.abort();
    expect(await clean(target, creations, { cleanUpSignal })).toEqual(['stream one']);
  });
});
