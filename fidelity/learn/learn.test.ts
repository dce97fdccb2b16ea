import { beforeAll, describe, expect, test } from 'vitest';
import { behaviourIds } from '../../interface/dialect/behaviours.ts';
import { differences } from '../../interface/dialect/statements.ts';
import { sdkFields } from '../../interface/types.ts';
import { keys, mockToLearn, observeOnly, post, withOther } from './learn.test-support.ts';
import { learn } from './learn.ts';
import type { LearnOptions } from './probe-target.ts';
import { valuesIn } from './probing/prober.ts';
import { renderEvidence } from './render-evidence.ts';
import { renderLearned } from './render-learned.ts';
import { toDialect } from './write-dialect.ts';

describe('learning the mock without a dialect', () => {
  let requests = 0;
  let refused = 0;
  let learned: Awaited<ReturnType<typeof learn>>;

  beforeAll(async () => {
    const { cleanUpSignal: _, ...options } = mockToLearn();
    const counting = withOther(options, async (request, answer) => {
      const response = await answer();
      const authorization = request.headers.get('authorization');
      requests += request.method === 'DELETE' ? 0 : 1;
      refused += authorization !== null && response.status === 401 ? 1 : 0;
      return response;
    });
    learned = await learn(counting);
  });

  test('observes everything, and finds what the mock is', () => {
    const open = [...learned.observed].filter(([, { outcome }]) => outcome !== 'observed');
    expect(open.map(([name, one]) => [name, 'reason' in one && one.reason])).toEqual([]);
    expect(differences(learned.dialect, undefined)).toEqual([]);
  });

  test('asks for every behaviour', () => {
    for (const id of behaviourIds) expect(learned.observed.has(`behaviours.${id}`)).toBe(true);
  });

  test('takes few requests, of which few have a wrong key', () => {
    expect(requests).toBeLessThan(2_200);
    expect(refused).toBeLessThanOrEqual(20);
  });

  test('leaves nothing behind', () => {
    expect(learned.leftBehind).toEqual([]);
  });

  test('gives evidence of what it asked and received, without keys', () => {
    const evidence = renderEvidence(learned, keys);
    expect(JSON.parse(evidence)).toMatchObject({
      'errors.createStream.key:none': {
        outcome: 'observed',
        exchanges: expect.arrayContaining([expect.objectContaining({ status: 401 })]),
      },
      'behaviours.create.location': { question: expect.stringContaining('Location') },
    });
    for (const key of keys) expect(evidence).not.toContain(key);
  });
});

test('under --read-only nothing is written with either key, and what reading shows is learned', async () => {
  const { provider: _, ...options } = mockToLearn();
  await post(options, '/api/stream', { name: 'made before' });
  const methods = new Set<string>();
  const reading = withOther({ ...options, readOnly: true }, async (request, answer) => {
    methods.add(request.method);
    return answer();
  });
  const { observed } = await learn(reading);
  expect(methods).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  for (const name of ['behaviours.stream.further-keys', 'errors.retrieveStream.id:unknown']) {
    expect(observed.get(name)?.outcome).toBe('observed');
  }
});

test.each(['demo', 'empty'] as const)(
  'reading a plain mock of the world %s finds no difference',
  async (world) => {
    const { provider: _, otherApiKey: __, ...options } = mockToLearn({}, { world });
    const { dialect, observed } = await learn({ ...options, readOnly: true });
    // What could not be asked is refused as is usual.
    const seen = differences(dialect, undefined).filter(
      (name) => observed.get(name)?.outcome === 'observed',
    );
    expect(seen).toEqual([]);
  },
);

const names = 'x-a, '.repeat(3_000);
const longHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': names };

test.each([
  {
    what: 'an answer that is no list',
    path: /\/stream\?limit=0$/,
    answer: () => Response.json({ odd: true }),
    name: 'errors.listStreams.query:limit:zero',
    says: /\nObserved, but a dialect cannot express it\n {2}[^\n]*: errors.listStreams.query:limit:zero\n/,
  },
  {
    what: 'a web page in place of a list',
    path: /\/STREAM/,
    answer: () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    name: 'errors.listSessionsOfStream.path:letter-case',
    says: /expected a list or a refusal/,
  },
  {
    what: 'one of two wrong values that is not refused',
    path: /limit=-20$/,
    answer: () => Response.json([]),
    name: 'errors.listStreams.query:limit:negative',
    says: /\nNot learned, because similar requests had different responses\n.*one is refused, one is not/,
  },
  {
    what: 'a refusal that shows the API key',
    path: /\/no-such-path$/,
    answer: () => Response.json({ code: keys[0] }, { status: 404 }),
    name: 'errors.unknownRoute.path:unknown',
    says: /expected no API key/,
  },
  {
    what: 'a header of 3,000 names',
    path: /sessions\?record=1$/,
    answer: () => new Response('[]', { headers: longHeaders }),
    name: 'behaviours.cors.exposed-headers',
    says: /expected at most 10000 characters/,
  },
])('$what is not written, and the report says why', async ({ path, answer, name, says }) => {
  const options = withOther(mockToLearn(), async (request, respond) =>
    path.test(request.url) ? answer() : respond(),
  );
  const observed = await observeOnly(options, name);
  expect(rendered(observed)).toMatch(says);
  expect(rendered(observed)).not.toContain(keys[0]);
  expect(differences(toDialect(observed), undefined)).toEqual([]);
});

/** Whether a request creates a stream. */
function isCreation({ method, url }: Request): boolean {
  return method === 'POST' && url.endsWith('/api/stream');
}

/** The fields with which a request creates a stream; none for any other request. */
async function fieldsOfCreation(request: Request) {
  return isCreation(request) ? request.clone().json() : {};
}

/** What is said of observations on a terminal. */
function rendered(observed: Awaited<ReturnType<typeof observeOnly>>): string {
  return renderLearned(
    { observed, dialect: toDialect(observed), absentRoutes: [], leftBehind: [] },
    keys,
  );
}

test('a rule that the service breaks is named with its requirements', async () => {
  const name = 'errors.updateStream.field:record:given';
  const options = mockToLearn({ errors: { updateStream: { 'field:record': { given: 'kept' } } } });
  expect(rendered(await observeOnly(options, name))).toMatch(
    /\nStated rules that it breaks\n {2}updateStream: field:record:given is kept \(RECORD-16\)\.\n/,
  );
});

test('a sample shows the boolean that was seen, and another one elsewhere does not make a key of that place', async () => {
  const options = mockToLearn({
    behaviours: {
      'stream.further-keys': { healthy: true },
      'keys.by-place': { streamOnceLive: { healthy: false, region: 'text' } },
    },
  });
  const keysOfStreams = 'behaviours.stream.further-keys';
  const byPlace = 'behaviours.keys.by-place';
  const values = valuesIn(await observeOnly(options, keysOfStreams, byPlace));
  expect(values.get(keysOfStreams)).toEqual({ healthy: true });
  expect(values.get(byPlace)).toMatchObject({ streamOnceLive: { region: 'text' } });
  expect(values.get(byPlace)).not.toHaveProperty('streamOnceLive.healthy');
});

test('an almost right key and that of another account do not count as wrong keys', async () => {
  // Without keys of its own the mock accepts every test key, each with a world of its own.
  const names = ['errors.listStreams.key:cut', 'errors.listStreams.key:extended'];
  const observed = await observeOnly(mockToLearn({}, {}), 'behaviours.create.location', ...names);
  expect(rendered(observed)).not.toContain('Stated rules that it breaks');
  expect(differences(toDialect(observed), undefined)).toEqual([]);
  for (const name of names) {
    expect(observed.get(name)).toMatchObject({
      outcome: 'unasked',
      reason: expect.stringContaining('a mock without --api-key accepts every test key'),
    });
  }
});

test('nobody is asked for a session of another account, as only a control API tells its id', async () => {
  const options = mockToLearn();
  const ask = async (text: string): Promise<void> => {
    expect(text).not.toContain('unknown');
    const [, id] = /stream "([^"]+)"/.exec(text) ?? [];
    await post(options, `/_mock/streams/${id}/start`, { duration: 8 });
  };
  const name = 'errors.retrieveSession.id:other-key';
  const observed = await observeOnly({ ...options, provider: { ask } }, name);
  expect(rendered(observed)).toContain('add --control-url');
});

test('an interruption leaves no stream live, which a service may refuse to delete', async () => {
  const interrupted = new AbortController();
  const { cleanUpSignal: _, ...target } = mockToLearn({
    errors: { deleteStream: { state: { live: 409 } } },
  });
  const options = withOther(target, async (request, answer) => {
    const isUnending = request.url.endsWith('/start') && request.body === null;
    const response = await answer();
    if (isUnending) interrupted.abort();
    return response;
  });
  const { leftBehind } = await learn({ ...options, signal: interrupted.signal });
  expect(interrupted.signal.aborted).toBe(true);
  expect(leftBehind).toEqual([]);
});

test.each([
  { origin: 'https://app.test', allowed: 'echo' },
  { origin: undefined, allowed: 'none' },
])('a service that allows one page is learned as $allowed', async ({ origin, allowed }) => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const response = await answer();
    const from = request.headers.get('origin');
    response.headers.delete('access-control-allow-origin');
    if (from === 'https://app.test') response.headers.set('access-control-allow-origin', from);
    return response;
  });
  const name = 'behaviours.cors.origins';
  const observed = await observeOnly({ ...target, ...(origin && { origin }) }, name);
  expect(observed.get(name)).toMatchObject({ value: { requests: allowed, preflights: allowed } });
});

test('methods that a service allows only at some paths are learned together', async () => {
  const target = withOther(mockToLearn(), async ({ method, url }, answer) => {
    const response = await answer();
    const others = /sessions/.test(url) ? 'GET, HEAD' : 'GET, DELETE';
    const ofPath = /record$/.test(url) ? 'PATCH' : others;
    if (method === 'OPTIONS') response.headers.set('access-control-allow-methods', ofPath);
    return response;
  });
  const name = 'behaviours.cors.allowed-methods';
  const observed = await observeOnly(target, name);
  expect(observed.get(name)).toMatchObject({ value: ['GET', 'HEAD', 'PATCH', 'DELETE'] });
});

test('a slash that may be doubled only at the beginning of a path is learned as that', async () => {
  const errors = { everyOperation: { path: { 'doubled-slash': 'accepted' } } } as const;
  const names = ['path:doubled-slash', 'path:doubled-slash:inside'].map(
    (error) => `errors.listSessionsOfStream.${error}`,
  );
  const observed = await observeOnly(mockToLearn({ errors }), ...names);
  expect(names.map((name) => observed.get(name))).toMatchObject([
    { value: { as: 'accepted' } },
    { value: { status: 404 } },
  ]);
});

test('what can be done to a child stream is learned', async () => {
  const errors = {
    updateStream: { id: { child: 400 } },
    deleteStream: { id: { child: 'done' } },
  } as const;
  const behaviours = { 'list.sessions-among-streams': 'children' } as const;
  const { dialect } = await learn(mockToLearn({ errors, behaviours }));
  expect(differences(dialect, { dialect: 3, errors, behaviours })).toEqual([]);
});

test.each([
  ['dropped', { listStreams: 'all', listSessionsOfStream: 'all', listSessions: 'all' }],
  ['kept', undefined],
] as const)('a list that was never cut has no pages if limit is %s', async (limit, value) => {
  const every = { 'query:limit': { given: limit } } as const;
  const errors = { listStreams: every, listSessionsOfStream: every, listSessions: every };
  const lists = Object.keys(errors).map((list) => `errors.${list}.query:limit:given`);
  const name = 'behaviours.list.page-size';
  const observed = await observeOnly({ ...mockToLearn({ errors }), streams: 5 }, ...lists, name);
  expect(observed.get(name)).toMatchObject(value ? { value } : { outcome: 'unasked' });
});

test.each([
  ['byte-order-mark', 418],
  ['byte-order-mark:utf-16', 'accepted'],
] as const)('what happens to a body with a byte order mark is learned: %s', async (kind, cell) => {
  const options = mockToLearn({ errors: { createStream: { body: { [kind]: cell } } } });
  const name = `errors.createStream.body:${kind}`;
  const value = cell === 'accepted' ? { as: cell } : { status: cell };
  expect((await observeOnly(options, name)).get(name)).toMatchObject({ value });
});

test('headers that a service exposes are learned in any letter case, and * as all of them', async () => {
  const target = withOther(mockToLearn(), async (_, answer) => {
    const response = await answer();
    response.headers.set('access-control-expose-headers', 'Link, X-Total_Count, *');
    return response;
  });
  const name = 'behaviours.cors.exposed-headers';
  const observed = await observeOnly({ ...target, origin: 'https://app.test' }, name);
  expect(observed.get(name)).toMatchObject({ value: ['link', 'x-total_count', '*'] });
});

test('what every response has is learned, whichever header it is, and what only some have is not', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const response = await answer();
    const { headers } = response;
    headers.set('content-security-policy', "default-src 'none'");
    headers.set('vary', request.headers.has('origin') ? 'Accept, Origin' : 'accept,origin');
    headers.set('retry-after', '17');
    headers.set('x-ratelimit-remaining', '4987');
    headers.set('etag', `"${Math.random()}"`);
    if (response.status < 400) headers.set('x-cache', 'miss');
    headers.set('access-control-allow-credentials', 'true');
    headers.delete('access-control-expose-headers');
    if (request.headers.has('origin')) headers.set('access-control-expose-headers', 'link');
    return response;
  });
  const names = ['http.headers', 'cors.without-origin', 'cors.exposed-headers', 'http.etag'];
  const observed = await observeOnly(target, ...names.map((name) => `behaviours.${name}`));
  expect(toDialect(observed).behaviours).toEqual({
    'http.headers': {
      'content-security-policy': 'text',
      etag: '"text"',
      'retry-after': '0',
      vary: 'accept',
      'x-ratelimit-remaining': '1000',
    },
    'cors.without-origin': {
      'access-control-allow-credentials': 'present',
      'access-control-expose-headers': 'absent',
    },
    'cors.exposed-headers': ['link'],
    'http.etag': 'present',
  });
});

test('headers for pages that a service sends to nobody in particular are headers of all responses', async () => {
  const behaviours = { 'cors.origins': { requests: 'none', preflights: 'none' } } as const;
  const target = withOther(mockToLearn({ behaviours }), async (_, answer) => {
    const response = await answer();
    response.headers.set('access-control-allow-credentials', 'true');
    response.headers.set('access-control-expose-headers', '*');
    response.headers.set('vary', 'Origin');
    return response;
  });
  const name = 'behaviours.http.headers';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({
    value: {
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': '*',
      vary: 'origin',
    },
  });
});

test.each([
  [{ changes: 'present', refusals: 'absent' }, (status: number) => status < 400],
  [{ changes: 'absent', refusals: 'present' }, (status: number) => status >= 400],
] as const)('it is learned which other responses have an ETag: %j', async (value, has) => {
  const target = withOther(mockToLearn(), async (_, answer) => {
    const response = await answer();
    if (response.body !== null && has(response.status)) response.headers.set('etag', 'W/"1"');
    return response;
  });
  const name = 'behaviours.http.etag-of';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({ value });
});

test.each(['done', 'carried-out'] as const)(
  'after a success with a foreign id it is looked whether it was %s',
  async (way) => {
    const id = { session: way, 'other-key': way } as const;
    const errors = { updateStream: { id }, deleteStream: { id }, setRecord: { id } };
    const names = Object.keys(errors).flatMap((endpoint) =>
      Object.keys(id).map((kind) => `errors.${endpoint}.id:${kind}`),
    );
    const observed = await observeOnly(mockToLearn({ errors }), ...names);
    for (const name of names) {
      expect([name, observed.get(name)]).toMatchObject([name, { value: { as: way } }]);
    }
  },
);

test('a service that drops names is asked for another change to see what an update does', async () => {
  const ofUpdate = {
    'field:name': { given: 'dropped' },
    id: { 'other-key': 'carried-out' },
  } as const;
  const name = 'errors.updateStream.id:other-key';
  const observed = await observeOnly(mockToLearn({ errors: { updateStream: ofUpdate } }), name);
  expect(observed.get(name)).toMatchObject({ value: { as: 'carried-out' } });
});

test('limits of texts and numbers that only some services know are learned, and the mock has them', async () => {
  const isTooMuch = ({ quality = 0, name = '', gop = '' }) =>
    quality > 44 || name.length > 20 || Number(gop) > 300;
  const target = withOther(mockToLearn(), async (request, answer) => {
    const { profiles = [] } = await fieldsOfCreation(request);
    return profiles.some(isTooMuch) ? Response.json({ code: 'NO' }, { status: 409 }) : answer();
  });
  const names = ['name', 'quality', 'gop', 'fpsDen'].map(
    (field) => `errors.createStream.field:profiles[].${field}:large`,
  );
  const observed = await observeOnly(target, ...names);
  expect(names.map((name) => observed.get(name))).toMatchObject([
    { value: { status: 409, above: 20, below: 32 } },
    { value: { status: 409, above: 44, below: 51 } },
    { value: { status: 409, above: 3, below: 5 } },
    { value: { status: 422, above: Number.MAX_SAFE_INTEGER } },
  ]);
  const learned = mockToLearn(toDialect(observed));
  const create = async (further: object): Promise<number> => {
    const profile = { name: '720p', bitrate: 1_000_000, fps: 30, width: 1_280, height: 720 };
    const profiles = [{ ...profile, ...further }];
    return (await post(learned, '/api/stream', { name: 'Harbour', profiles })).status;
  };
  expect(await create({ quality: 44, name: 'x'.repeat(20), gop: '2.0' })).toBe(201);
  expect(await create({ quality: 45 })).toBe(409);
  expect(await create({ name: 'x'.repeat(33) })).toBe(409);
});

test('what a service does about unusual characters in a name is learned', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    if (!isCreation(request)) return answer();
    const { name } = await request.clone().json();
    if (/[\n\t]/.test(name)) return Response.json({ code: 'NO' }, { status: 409 });
    const response = await answer();
    return Response.json({ ...(await response.json()), name: name.trim() }, response);
  });
  const names = ['control', 'blank', 'padded', 'surrogate'].map(
    (kind) => `errors.createStream.field:name:${kind}`,
  );
  const observed = await observeOnly(target, ...names);
  expect(names.map((name) => observed.get(name))).toMatchObject([
    { value: { status: 409 } },
    { value: { as: 'trimmed' } },
    { value: { as: 'trimmed' } },
    { value: { as: 'kept' } },
  ]);
});

test('a limit of a text inside a field that the mock only stores is learned', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const { creatorId } = await fieldsOfCreation(request);
    const isTooLong = creatorId?.value?.length > 70;
    return isTooLong ? Response.json({ code: 'NO' }, { status: 409 }) : answer();
  });
  const name = 'errors.createStream.field:creatorId:large';
  const observed = await observeOnly(target, name);
  expect(observed.get(name)).toMatchObject({ value: { status: 409, above: 64, below: 100 } });
});

test('a long text inside a field counts as kept if the service adds to the field', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const { userTags } = await fieldsOfCreation(request);
    const response = await answer();
    if (userTags === undefined) return response;
    const stream = await response.json();
    return Response.json({ ...stream, userTags: { ...userTags, added: 'x' } }, response);
  });
  const name = 'errors.createStream.field:userTags:large';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({ value: { as: 'kept' } });
});

test('a limit of the number of profiles is learned', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const { profiles = [] } = await fieldsOfCreation(request);
    return profiles.length > 8 ? Response.json({ code: 'NO' }, { status: 409 }) : answer();
  });
  const name = 'errors.createStream.field:profiles:large';
  const observed = await observeOnly(target, name);
  expect(observed.get(name)).toMatchObject({ value: { status: 409, above: 8, below: 10 } });
});

test.each([
  ['body:duplicate-key', /"name":.*"name":.*"profiles"/],
  ['body:number-form', /\d\.0\D|\de\d/],
])('JSON that a strict parser refuses is learned: %s', async (error, pattern) => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const text = isCreation(request) ? await request.clone().text() : '';
    return pattern.test(text) ? Response.json({ code: 'NO' }, { status: 409 }) : answer();
  });
  const name = `errors.createStream.${error}`;
  expect((await observeOnly(target, name)).get(name)).toMatchObject({ value: { status: 409 } });
});

test('a parameter that no operation has is learned everywhere, and one that is repeated in lists', async () => {
  const target = withOther(mockToLearn(), async ({ url }, answer) => {
    const names = [...new URL(url).searchParams.keys()];
    const isRefused = names.includes('livestreamMockUnknown') || new Set(names).size < names.length;
    return isRefused ? Response.json({ code: 'NO' }, { status: 409 }) : answer();
  });
  const unknown = ['createStream', 'retrieveStream', 'setRecord', 'updateStream'].map(
    (endpoint) => `errors.${endpoint}.query:unknown:given`,
  );
  const names = [...unknown, 'errors.listSessionsOfStream.query:repeated'];
  const observed = await observeOnly(target, ...names);
  for (const name of names) {
    expect([name, observed.get(name)]).toMatchObject([name, { value: { status: 409 } }]);
  }
});

test('the path of a field in the keys of a refusal is learned, and an id is not', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const { profiles } = await fieldsOfCreation(request);
    if (typeof profiles?.[0]?.width !== 'boolean') return answer();
    const errors = { 'profiles.0.width': { code: 'TYPE' }, '4e2c7f31': { code: 'TYPE' } };
    return Response.json({ errors }, { status: 400 });
  });
  const name = 'errors.createStream.field:profiles[].width:boolean';
  const observed = await observeOnly(target, name);
  expect(Object.keys(Object(observed.get(name))['value'].body.json.errors)).toEqual([
    'profiles.0.width',
  ]);
});

test('that a preflight is answered unlike other OPTIONS is learned', async () => {
  const target = withOther(mockToLearn(), async ({ method, headers }, answer) => {
    const isPreflight = headers.has('access-control-request-method');
    return method === 'OPTIONS' && !isPreflight ? new Response('GET,HEAD') : answer();
  });
  const name = 'behaviours.http.preflight';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({ value: 'no-content' });
});

test.each([
  ['202', () => new Response(null, { status: 202 })],
  ['200 and JSON', () => Response.json({ allowed: true })],
])('that a preflight is answered with %s cannot be expressed', async (_, respond) => {
  const target = withOther(mockToLearn(), async ({ method, headers }, answer) => {
    const isPreflight = headers.has('access-control-request-method');
    return method === 'OPTIONS' && isPreflight ? respond() : answer();
  });
  const name = 'behaviours.http.preflight';
  expect((await observeOnly(target, name)).get(name)?.outcome).toBe('inexpressible');
});

test('that OPTIONS is answered with 200 and JSON cannot be expressed', async () => {
  const target = withOther(mockToLearn(), async ({ method }, answer) =>
    method === 'OPTIONS' ? Response.json({ allowed: true }) : answer(),
  );
  const name = 'behaviours.http.options';
  expect((await observeOnly(target, name)).get(name)?.outcome).toBe('inexpressible');
});

test('that a service reads forms is learned', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const type = request.headers.get('content-type') ?? '';
    if (!type.startsWith('application/x-www-form-urlencoded')) return answer();
    const name = new URLSearchParams(await request.text()).get('name');
    const id = crypto.randomUUID();
    return Response.json({ id, name, createdAt: Date.now() }, { status: 201 });
  });
  const name = 'errors.createStream.body:form';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({ value: { as: 'accepted' } });
});

test('what the list of streams shows instead of a whole stream is learned, also from a page that is not the last', async () => {
  const target = withOther(mockToLearn(), async ({ method, url }, answer) => {
    const response = await answer();
    if (method !== 'GET' || !/\/stream(\?.*)?$/.test(url)) return response;
    const streams: readonly Record<string, unknown>[] = await response.json();
    const rows = streams.slice(-2).map(({ streamKey, profiles, ...row }) => ({ ...row, views: 0 }));
    return Response.json(rows);
  });
  const names = ['behaviours.keys.by-place', 'behaviours.keys.missing'];
  const observed = await observeOnly(target, ...names);
  expect(names.map((name) => observed.get(name))).toMatchObject([
    { value: { listStreams: { views: 0 }, streamWhileLive: {} } },
    { value: { listStreams: ['profiles', 'streamKey'], createStream: [] } },
  ]);
});

test('rows of their own in the list of streams lack what only recorded streams have', async () => {
  const streamRecorded = { storage: { days: 0 } };
  const behaviours = { 'keys.by-place': { streamRecorded } };
  const target = withOther(mockToLearn({ behaviours }), async ({ method, url }, answer) => {
    const response = await answer();
    if (method !== 'GET' || !/\/stream$/.test(url)) return response;
    const streams: readonly Record<string, unknown>[] = await response.json();
    return Response.json(streams.map(({ renditions, storage, ...row }) => row));
  });
  const name = 'behaviours.keys.missing';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({
    value: { listStreams: ['renditions', 'storage'] },
  });
});

test('what a creation leaves out is not what the stream lacks', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const sent: object = await fieldsOfCreation(request);
    const response = await answer();
    if (!isCreation(request) || response.status !== 201) return response;
    const { profiles, ...stream } = await response.json();
    return Response.json('profiles' in sent ? { ...stream, profiles } : stream, { status: 201 });
  });
  const names = ['behaviours.profiles.default', 'behaviours.keys.missing'];
  const observed = await observeOnly(target, ...names);
  expect(names.map((name) => observed.get(name))).toMatchObject([
    { value: { omitted: 'empty', none: 'empty' } },
    { value: { createStream: ['profiles'] } },
  ]);
});

test('the form of playback is learned without its addresses', async () => {
  const target = withOther(mockToLearn(), async ({ url }, answer) =>
    /\/playback\//.test(url)
      ? Response.json({
          isLive: false,
          sources: [{ src: 'https://cdn.test/a/index.m3u8?token=1' }],
        })
      : answer(),
  );
  const name = 'behaviours.playback.shows';
  const observed = await observeOnly(target, name);
  expect(observed.get(name)).toMatchObject({
    value: { isLive: false, sources: [{ src: '{hls}' }] },
  });
});

test('that a list of only recorded sessions shows them later is learned', async () => {
  const live = new Set<string>();
  const target = withOther(mockToLearn(), async (request, answer) => {
    const [, id = '', way = ''] =
      /streams?\/([^/]+)\/(start|stop|sessions)/.exec(request.url) ?? [];
    if (way === 'start') live.add(id);
    if (way === 'stop') live.delete(id);
    const isEmpty = live.has(id) && /sessions\?record=1/.test(request.url);
    return isEmpty ? Response.json([]) : answer();
  });
  const name = 'behaviours.sessions.appear';
  expect((await observeOnly(target, name)).get(name)).toMatchObject({
    value: { listSessionsOfStream: 'at-start', listSessions: 'at-start', recordedOnly: 'at-end' },
  });
});

/** A service that refuses to set a field by the general update while the stream is live, unless it has that value. */
function lockedWhileLive(field: string): LearnOptions {
  const live = new Set<string>();
  const errors = { updateStream: { 'field:record': { given: 'kept' } } } as const;
  return withOther(mockToLearn({ errors }), async (request, answer) => {
    const [, id = '', way = ''] = /streams?\/([^/]+)(?:\/(start|stop))?$/.exec(request.url) ?? [];
    if (way === 'stop') live.delete(id);
    const isUpdate = request.method === 'PATCH' && way === '';
    const sent: object = isUpdate ? await request.clone().json() : {};
    if (live.has(id) && field in sent) return Response.json({ code: 'LIVE' }, { status: 409 });
    if (way === 'start') live.add(id);
    return answer();
  });
}

test.each(['record', 'name', 'playbackPolicy'])(
  'a field that an update may not set while the stream is live is learned: %s',
  async (field) => {
    const fields = ['name', 'suspended', 'record', 'playbackPolicy'];
    const given = fields.map((name) => `errors.updateStream.field:${name}:given`);
    const live = fields.map((name) => `errors.updateStream.state:live:${name}`);
    const observed = await observeOnly(lockedWhileLive(field), ...given, ...live);
    const refused = live.filter((name) => {
      const { value = {} } = { value: undefined, ...observed.get(name) };
      return Object.hasOwn(Object(value), 'status');
    });
    expect(refused).toEqual([`errors.updateStream.state:live:${field}`]);
  },
);

test.each([
  {
    what: 'is refused without another',
    isRefused: (sent: object) => 'recordingSpec' in sent && !('record' in sent),
    says: 'recordingSpec is accepted only with record: conditions.createStream',
  },
  {
    what: 'is refused with another',
    isRefused: (sent: object) => 'pull' in sent && 'multistream' in sent,
    says: 'multistream and pull are refused together: conditions.createStream',
  },
])('the summary names a field that $what', async ({ isRefused, says }) => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const sent: object = await fieldsOfCreation(request);
    return isRefused(sent) ? Response.json({ code: 'NO' }, { status: 422 }) : answer();
  });
  const given = sdkFields.map((name) => `errors.createStream.field:${name}:given`);
  const record = 'errors.createStream.field:record:given';
  const observed = await observeOnly(target, record, ...given, 'conditions.createStream');
  expect(rendered(observed)).toContain(says);
});

test('the evidence of an entry is what its own probe sent, without what others share', async () => {
  const name = 'errors.listStreams.query:limit:zero';
  const { exchanges = [] } = (await observeOnly(mockToLearn(), name)).get(name) ?? {};
  expect(exchanges).toHaveLength(2);
  for (const { curl } of exchanges) expect(curl).toContain('/stream?limit=0');
});

test('a further key of streams with few values shows one of them', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const response = await answer();
    if (!new URL(request.url).pathname.startsWith('/api/stream')) return response;
    const text = await response.text();
    const changed = text.replaceAll(
      '"kind":"stream"',
      '"kind":"stream","phase":"idle","maker":"Ada"',
    );
    return new Response(text === '' ? null : changed, response);
  });
  const name = 'behaviours.stream.further-keys';
  const value = (await observeOnly(target, 'errors.createStream.key:none', name)).get(name);
  expect(value).toMatchObject({ value: { kind: 'stream', phase: 'idle' } });
});

test('a cursor of a word and a number is learned', async () => {
  const cursor = { prefix: 'skip' };
  const behaviours = { 'list.cursor': cursor, 'list.page-size': { listStreams: 2 } };
  const name = 'behaviours.list.cursor';
  const observed = await observeOnly({ ...mockToLearn({ behaviours }), streams: 3 }, name);
  expect(observed.get(name)).toMatchObject({ value: cursor });
});

test('a cursor whose number counts the items of the first page alone is opaque', async () => {
  const { send = fetch, ...options } = mockToLearn();
  const cursors: string[] = [];
  const sendWithWords = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const word = url.searchParams.get('cursor') ?? '';
    // The cursors are word1, word4, word9 and so on.
    const asked = cursors[Math.sqrt(Number(word.replace('word', ''))) - 1];
    if (asked !== undefined) url.searchParams.set('cursor', asked);
    const response = await send(new Request(url, request));
    const link = response.headers.get('link') ?? '';
    const [, cursor] = /[?&]cursor=([^&>]+)/.exec(link) ?? [];
    if (cursor === undefined) return response;
    if (!cursors.includes(cursor)) cursors.push(cursor);
    const changed = new Response(response.body, response);
    changed.headers.set('link', link.replace(cursor, `word${(cursors.indexOf(cursor) + 1) ** 2}`));
    return changed;
  };
  const name = 'behaviours.list.cursor';
  const observed = await observeOnly({ ...options, send: sendWithWords }, name);
  expect(observed.get(name)).toMatchObject({ value: 'opaque' });
});

test('that streams are listed by when they were live is seen although a session can be deleted by its id', async () => {
  const order = { listStreams: 'last-seen-first' } as const;
  const errors = { deleteStream: { id: { session: 'carried-out' } } } as const;
  const parts = { errors, behaviours: { 'list.order': order } };
  const { dialect } = await learn(mockToLearn(parts));
  expect(dialect.behaviours).toEqual(parts.behaviours);
  expect(dialect.errors?.deleteStream).toEqual(errors.deleteStream);
});

test.each([
  { readyAfter: [1_000], value: 1_000 },
  { readyAfter: [1_450, 1_000, 1_050], value: 1_000 },
  { readyAfter: [1_350, 1_450, 1_500], value: 2_000 },
])(
  'of a time near two steps the one counts that two of three measurements give: $readyAfter',
  async ({ readyAfter, value }) => {
    const endTimes = new Map<string, number>();
    const options = mockToLearn({ behaviours: { 'time.ready': 0 } });
    const { now = Date.now } = options;
    const varying = withOther(options, async (request, answer) => {
      const [, ended] = /streams\/([^/]+)\/stop$/.exec(request.url) ?? [];
      if (ended !== undefined) endTimes.set(ended, now());
      const [, listed] = /stream\/([^/]+)\/sessions/.exec(request.url) ?? [];
      const endTime = listed && endTimes.get(listed);
      const response = await answer();
      if (!endTime) return response;
      const delay = readyAfter[[...endTimes.keys()].indexOf(listed)] ?? 0;
      if (now() - endTime >= delay) return response;
      const sessions: readonly object[] = await response.json();
      return Response.json(sessions.map((one) => ({ ...one, recordingStatus: 'waiting' })));
    });
    const name = 'behaviours.time.ready';
    const observed = await observeOnly(varying, name);
    expect(observed.get(name)).toMatchObject({ value });
    expect(endTimes.size).toBe(readyAfter.length);
  },
);
