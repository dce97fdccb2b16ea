import { beforeAll, describe, expect, test } from 'vitest';
import type { StaticRoute } from '../../interface/dialect/dialect.ts';
import type { Json } from '../../interface/json.ts';
import { createMock } from '../../mocks/mock.ts';
import { serveLax } from '../lax-service.test-support.ts';
import { driftFrom } from './drift.ts';
import { keys, mockToLearn, withOther } from './learn.test-support.ts';
import { absentOf, isSameRoute, requestedRoutes } from './probe-routes.ts';
import { type LearnOptions, probeTarget } from './probe-target.ts';
import { createProber } from './probing/prober.ts';
import { renderDrift, renderLearned } from './render-learned.ts';
import { parseRoutes } from './routes-file.ts';
import { toDialect } from './write-dialect.ts';

/** What learns a mock that has more routes, by their lines, and the requests to these. */
function serving(
  routes: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>,
  more: Partial<LearnOptions> = {},
) {
  const requests: string[] = [];
  const options = withOther(mockToLearn(), async (request, answer) => {
    const { pathname } = new URL(request.url);
    const line = `${request.method} ${pathname.replace('/api', '')}`;
    const respond = routes[line];
    if (respond === undefined) return answer();
    requests.push(line);
    return respond(request);
  });
  return { options: { ...options, ...more }, requests };
}

/** Learns the routes alone. */
async function learnRoutes(options: LearnOptions) {
  const { result: observed = new Map(), leftBehind } = await probeTarget(options, async (all) => {
    const prober = createProber(all);
    for (const probe of requestedRoutes(options)) await prober.observe(probe);
    return prober.observed;
  });
  const absentRoutes = absentOf(options, observed);
  return { observed, dialect: toDialect(observed), absentRoutes, leftBehind };
}

const user = {
  id: '7e3f8a52-8f0f-4b56-9d2c-3f3c0f6f5a11',
  email: 'ada@acme.test',
  name: 'Ada',
  page: 'https://acme.test/ada',
  createdAt: '2026-05-01T12:00:00Z',
  quota: 17,
  ratio: 0.7,
  admin: true,
  plan: { seats: [{ name: 'a' }, { name: 'b', role: 'owner' }], none: [] },
  '8f0f4b56': 'an id as a key',
};

const madeUpUser = {
  admin: true,
  createdAt: '2030-01-01T00:00:00.000Z',
  email: 'text',
  id: 'text',
  name: 'text',
  page: 'https://example.test/',
  plan: { none: [], seats: [{ name: 'text' }] },
  quota: 0,
  ratio: 0,
};

test('a route that clients of this field read is learned with a made-up body', async () => {
  const { options } = serving({
    'GET /user/me': () => Response.json(user),
    'GET /asset': () => new Response('<p>Ada', { headers: { 'content-type': 'text/html' } }),
    'GET /task': () => new Response('Not implemented', { status: 501 }),
  });
  const learned = await learnRoutes(options);
  expect(learned.dialect.routes).toEqual([
    { method: 'GET', path: '/asset', status: 200, type: 'text/html', text: 'text' },
    { method: 'GET', path: '/task', status: 501, type: 'text/plain; charset=utf-8', text: 'text' },
    { method: 'GET', path: '/user/me', status: 200, type: 'application/json', json: madeUpUser },
  ]);
  expect(renderLearned(learned, keys)).toMatch(/^Observed: (\d+) of \1 routes\./);
});

test('an id in a path is one of the run, one that a list shows, or one that the file has', async () => {
  const { options, requests } = serving(
    {
      'GET /asset': () => Response.json({ assets: [{ id: 17 }] }),
      'GET /asset/17': () => Response.json({ id: 17 }),
      'GET /nft/old1x2y3': () => Response.json({}, { status: 404 }),
      'GET /nft/new1x2y3': () => Response.json([]),
    },
    {
      routes: [
        { method: 'GET', path: '/asset/{id}' },
        { method: 'GET', path: '/nft/{id}', sample: '/nft/new1x2y3?a=b' },
        { method: 'GET', path: '/other/{id}' },
      ],
    },
  );
  const { dialect, observed } = await learnRoutes(options);
  expect(dialect.routes?.map(({ path }) => path)).toEqual(['/asset', '/asset/{id}', '/nft/{id}']);
  expect(requests).not.toContain('GET /nft/old1x2y3');
  expect(observed.get('routes.GET /other/{id}')).toMatchObject({
    outcome: 'unasked',
    reason: expect.stringContaining(
      'with that of a stream of this run, it got status 404. In --routes',
    ),
  });
});

describe('of routes that write', () => {
  const bodies: unknown[] = [];
  const routes = {
    'POST /webhook': async (request: Request) => {
      bodies.push(await request.json());
      return Response.json({ id: 'made' }, { status: 201 });
    },
    'GET /webhook': () => Response.json([{ id: 'users' }]),
  };
  const writing: NonNullable<LearnOptions['routes']> = [
    { method: 'POST', path: '/webhook', body: { bitrate: 3_000_000 } },
    { method: 'PATCH', path: '/user/me', body: {} },
    { method: 'DELETE', path: '/webhook/{id}', body: {} },
    { method: 'DELETE', path: '/streams', body: {} },
    { method: 'PUT', path: '/asset' },
  ];
  const { options, requests } = serving(routes, {
    routes: writing,
    allow: ['POST', 'DELETE', 'PUT'],
  });
  let learned: Awaited<ReturnType<typeof learnRoutes>>;

  beforeAll(async () => {
    learned = await learnRoutes(options);
  });

  test('only those are asked for to which the user consents, with the body that the file gives', () => {
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual(['POST /webhook']);
    expect(bodies).toEqual([{ bitrate: 3_000_000 }]);
    for (const { method, path } of writing.slice(1)) {
      expect(learned.observed.get(`routes.${method} ${path}`)?.outcome).toBe('unasked');
    }
  });

  test('those that were asked for are learned', () => {
    const { status, type, json } = { status: 201, type: 'application/json', json: { id: 'text' } };
    expect(learned.dialect.routes?.filter(({ method }) => method !== 'GET')).toEqual([
      { method: 'POST', path: '/webhook', status, type, json },
    ]);
  });

  test('the others are named with what allows them', () => {
    expect(renderLearned(learned, keys)).toContain(
      'that writes: add --allow PATCH: routes.PATCH /user/me',
    );
  });

  test('what was sent is listed as left on the service', () => {
    expect(renderLearned(learned, keys)).toMatch(
      /\nLeft on the service\n(.*\n)* {2}effects of POST \/webhook \{.*\}, sent because of --allow/,
    );
  });
});

test('a route of the file that the service does not have is named, and nothing is left of a write that it refused', async () => {
  const { options } = serving({
    'GET /asset': () => Response.json([]),
    'POST /clip': () => Response.json({}, { status: 404 }),
    'POST /task': () => Response.json({}, { status: 422 }),
  });
  const lines = 'GET /asset\nGET /none\nPOST /clip {"a":1}\nPOST /task {"b":1}';
  const routes = parseRoutes(lines, options.baseUrl);
  const learned = await learnRoutes({ ...options, routes, allow: ['POST'] });
  expect(learned.absentRoutes).toEqual(['GET /none: status 404', 'POST /clip: status 404']);
  expect(renderLearned(learned, keys)).toContain(
    'unknown path, so they are not in the dialect\n  GET /none: status 404\n',
  );
  expect(learned.leftBehind.filter((line) => line.startsWith('effects of'))).toEqual([]);
});

test('a path outside the base URL is learned without a key, and answered by the mock', async () => {
  const keysSent: (string | null)[] = [];
  const answers: Readonly<Record<string, () => Response>> = {
    '/healthz': () => Response.json({ status: 'ok', uptime: 17 }, { status: 503 }),
    '/': () => new Response('Welcome'),
    '/api/healthz': () => Response.json({ error: 'not here' }, { status: 418 }),
  };
  const options = withOther(mockToLearn(), async (request, answer) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') keysSent.push(request.headers.get('authorization'));
    return answers[pathname]?.() ?? answer();
  });
  const routes = parseRoutes('GET !/healthz\nGET http://mock.test/\nGET !/gone', options.baseUrl);
  const { dialect, observed } = await learnRoutes({ ...options, routes });
  const [root, health] = dialect.routes ?? [];
  expect(dialect.routes).toHaveLength(2);
  const json = { status: 'text', uptime: 0 };
  expect(health).toEqual({ method: 'GET', path: '!/healthz', status: 503, type, json });
  expect(root).toMatchObject({ method: 'GET', path: '!/', status: 200, text: 'text' });
  expect(keysSent).toEqual([null, null]);
  const { fetch } = createMock({ dialect });
  const response = await fetch(new Request('http://mock.test/healthz'));
  expect([response.status, await response.json()]).toEqual([503, json]);
  expect(driftFrom(dialect, observed)).toMatchObject({ changes: [], unknown: [] });
});

test('a text of few values is one of them if several records or the documentation have it', async () => {
  const task = { id: 'c1', phase: 'running', type: 'clip', region: 'prague', createdBy: 'ada' };
  const tasks = [{ ...task, region: 'london' }, task, { ...task, phase: 'failed' }];
  const { options } = serving({
    'GET /task': () => Response.json([...tasks, { ...task, region: 'oslo' }]),
    'GET /user/me': () => Response.json({ plan: 'pro', role: 'owner' }),
  });
  const { dialect } = await learnRoutes({ ...options, words: ['pro'] });
  const json = { createdBy: 'text', id: 'text', phase: 'running', region: 'text', type: 'clip' };
  expect(dialect.routes).toMatchObject([{ json: [json] }, { json: { plan: 'pro', role: 'text' } }]);
});

/** A service that knows its streams at more paths: by their ids, and by their playback ids and stream keys. */
function withPathsOfStreams(): LearnOptions {
  const ids = new Set<unknown>();
  const keysOfStreams = new Set<string>();
  const statusFor = (values: Readonly<Record<string, unknown>>): number =>
    keysOfStreams.has(`${values['playbackId']} ${values['streamKey']}`) ? 200 : 422;
  const statuses: Readonly<Record<string, (request: Request, id: string) => Promise<number>>> = {
    sessions: async (_, id) => (ids.has(id) ? 200 : 404),
    key: async ({ url }) => statusFor(Object.fromEntries(new URL(url).searchParams)),
    clip: async (request) => statusFor(await request.json()),
  };
  return withOther(mockToLearn(), async (request, answer) => {
    const { pathname } = new URL(request.url);
    const [, name = '', id = ''] = /^\/api\/(?:stream\/)?(\w+)(?:\/(.+))?$/.exec(pathname) ?? [];
    const status = await statuses[name]?.(request, id);
    if (status !== undefined) return Response.json({}, { status });
    const response = await answer();
    const stream = await response
      .clone()
      .json()
      .catch(() => ({}));
    ids.add(stream.id);
    keysOfStreams.add(`${stream.playbackId} ${stream.streamKey}`);
    return response;
  });
}

test('what this run made is in the place of what a line names, in paths and in bodies', async () => {
  const options = withPathsOfStreams();
  const lines = `GET /stream/sessions/{id}
    GET /key?playbackId={playbackId}&streamKey={streamKey}
    POST /clip {"playbackId":"{playbackId}","streamKey":"{streamKey}","note":"{other}"}`;
  const routes = parseRoutes(lines, options.baseUrl);
  const { dialect, leftBehind } = await learnRoutes({ ...options, routes, allow: ['POST'] });
  expect(dialect.routes?.map(({ path, status }) => [path, status])).toEqual([
    ['/clip', 200],
    ['/key', 200],
    ['/stream/sessions/{id}', 200],
  ]);
  // What a service returned is not shown to the user.
  const left = leftBehind.find((line) => line.includes('/clip'));
  expect(left).toContain('effects of POST /clip {"playbackId":"{playbackId}"');
});

test('what a service calls the playback id of a new stream is not written to if it may be another stream', async () => {
  const { send, baseUrl, controlUrl, foreignWrites } = await serveLax({ claims: 'playbackId' });
  const lines = 'POST /clip {"playbackId":"{playbackId}"}\nDELETE /clip/{playbackId}';
  const routes = parseRoutes(lines, baseUrl);
  const allow = ['POST', 'DELETE'];
  const provider = { controlUrl };
  const options = { baseUrl, apiKey: 'key', provider, send, routes, allow };
  const { observed } = await learnRoutes(options);
  for (const name of ['routes.POST /clip', 'routes.DELETE /clip/{id}']) {
    const reason = expect.stringContaining(
      'a playbackId that names nothing but what this run made',
    );
    expect(observed.get(name)).toMatchObject({ outcome: 'unasked', reason });
  }
  expect(foreignWrites).toEqual([]);
});

test('what no dialect can say about a route is not written, and reported', async () => {
  let count = 0;
  const large = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`key${at}`, 'a']));
  const { options } = serving({
    'GET /asset': () => new Response(null, { status: 302, headers: { location: '/' } }),
    'GET /task': () => Response.json({ [`key${++count}`]: 1 }),
    'GET /webhook': () =>
      Response.json(Object.fromEntries(Object.keys(large).map((key) => [key, large]))),
  });
  const { dialect, observed } = await learnRoutes(options);
  expect(dialect.routes).toBeUndefined();
  const outcomes = ['asset', 'task', 'webhook'].map((name) => observed.get(`routes.GET /${name}`));
  const words = outcomes.map((one) => one?.outcome).join();
  expect(words).toBe('inexpressible,unsteady,inexpressible');
});

const type = 'application/json';
const dialectRoutes: readonly StaticRoute[] = [
  { method: 'OPTIONS', path: '/asset', status: 200 },
  { method: 'GET', path: '/user/me', status: 200, type, json: { email: 'text' } },
  {
    method: 'GET',
    path: '/user/{id}',
    status: 403,
    type: 'application/problem+json',
    json: { errors: ['text'] },
  },
  { method: 'POST', path: '/webhook', status: 201, type: 'text/plain', text: 'text' },
];

test('the routes of a mock are learned as they are, and then have no drift', async () => {
  const parts = {
    behaviours: { 'http.json-type': 'application/json' },
    routes: dialectRoutes.map(({ type: own, ...route }) =>
      own?.includes('problem') ? { ...route, type: own } : route,
    ),
  } as const;
  const sampled = { method: 'GET', path: '/user/{id}', sample: '/user/17?a=b' } as const;
  const sending = dialectRoutes.map((route) => ({ ...route, body: {} }));
  const more = { routes: [...sending, sampled], allow: ['POST'] };
  const { dialect, observed } = await learnRoutes({ ...mockToLearn(parts), ...more });
  expect(dialect.routes).toEqual(dialectRoutes);
  expect(driftFrom({ dialect: 3, ...parts }, observed)).toEqual({
    changes: [],
    unknown: [],
    appeared: [],
  });
});

test('a route that has changed is drift, and one that may not be asked for is unknown', async () => {
  const [options, me, other, webhook] = dialectRoutes as [StaticRoute, ...StaticRoute[]];
  const now = [options, { ...me, json: { email: 0 } }, webhook] as StaticRoute[];
  const routes = [me, other, webhook] as StaticRoute[];
  const { observed } = await learnRoutes({ ...mockToLearn({ routes: now }), routes });
  expect(driftFrom({ dialect: 3, routes }, observed)).toEqual({
    changes: [{ name: 'routes.GET /user/me', before: me, now: { ...me, json: { email: 0 } } }],
    unknown: [
      {
        name: 'routes.GET /user/{id}',
        reason: expect.stringContaining('write such an id into the path'),
      },
      {
        name: 'routes.POST /webhook',
        reason: expect.stringContaining('add --allow POST and a line in --routes'),
      },
    ],
    appeared: [],
  });
});

test('a key that a route gains as its account is used is no drift, and one that goes is', async () => {
  const young = { email: 'text', plan: { seats: [{ name: 'text' }] } };
  const used = { email: 'text', lastSeen: 0, plan: { seats: [{ name: 'text', role: 'text' }] } };
  const driftBetween = async (before: Json, now: Json) => {
    const { options } = serving({ 'GET /user/me': () => Response.json(now) });
    const { observed } = await learnRoutes(options);
    const route = { method: 'GET', path: '/user/me', status: 200, type: 'application/json' };
    return driftFrom({ dialect: 3, routes: [{ ...route, json: before } as StaticRoute] }, observed);
  };
  const gained = await driftBetween(young, used);
  expect(gained).toMatchObject({ changes: [], unknown: [] });
  expect(renderDrift(gained, [], keys)).toBe(
    'Nothing differs.\n\nRoutes with more keys, which is no difference\n  routes.GET /user/me: lastSeen, plan.seats.role\n',
  );
  expect(await driftBetween(used, young)).toMatchObject({
    changes: [{ name: 'routes.GET /user/me' }],
    appeared: [],
  });
});

test.each([
  { before: { page: 'Ada' }, now: { page: 'https://example.test/' }, same: true },
  { before: { list: [] }, now: { list: [{ id: 0 }] }, same: true },
  { before: { next: 'text' }, now: { next: null }, same: true },
  { before: { list: [{ id: 'text' }] }, now: { list: [{ id: 0 }] }, same: false },
  { before: { list: [] }, now: { list: {} }, same: false },
  { before: { a: 0 }, now: { a: 0, b: 0 }, same: false },
])('of a body its shape counts: $before and $now', ({ before, now, same }) => {
  const route = { method: 'GET', path: '/user/me', status: 200 } as const;
  expect(isSameRoute({ ...route, json: before }, { ...route, json: now as Json })).toBe(same);
});
