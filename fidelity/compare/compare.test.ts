import { describe, expect, test, vi } from 'vitest';
import { breakFetch } from '../../conformance/mutants/catalogue.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import {
  type Alteration,
  against,
  answering,
  apiKey,
  showingInNew,
  shownDeleted,
  showsDeleted,
  without,
} from './against.test-support.ts';
import { compare } from './compare.ts';
import { nameOfDifference } from './comparison.ts';
import { comparisonStatus, renderComparison } from './comparison-report.ts';

const look = { colours: false, width: 500 };

test('the mock does not differ from itself', async () => {
  const operations = byNight(3_000, 1_000);
  const comparison = await compare({ ...against(), operations });
  expect(comparison).toMatchObject({ differences: [], unsteady: 0, unanswered: 0 });
  expect(comparison).toMatchObject({ unknownReasons: [], leftBehind: [] });
  expect(comparison.operations).toBeGreaterThanOrEqual(operations);
  expect(comparisonStatus(comparison)).toBe(0);
}, 120_000);

test.each<[name: string | RegExp, change: Alteration]>([
  [shownDeleted, showsDeleted],
  ['header access-control-max-age | absent ≠ present', without('access-control-max-age')],
  ['renditions | 1 ≠ 2', (send) => breakFetch('media-one-rendition-for-profiles', send)],
  [
    'key:none | status | 403 ≠ 401',
    answering(({ headers }, { status }) =>
      status === 401 && !headers.has('authorization')
        ? new Response('', { status: 403 })
        : undefined,
    ),
  ],
  [
    /^\w+ \(field:profiles\[\]\.\w+:zero\) \| status \| 418 ≠ 422$/,
    answering(async (request, { status }) =>
      status === 422 && /"(width|height|fps|bitrate)":0\b/.test(await request.text())
        ? new Response('', { status: 418 })
        : undefined,
    ),
  ],
  [
    'record | absent ≠ boolean',
    answering(async (_, response) => {
      const text = await response.clone().text();
      if (!text.includes('"kind":"session"')) return undefined;
      return new Response(text.replaceAll('"record":false,', ''), response);
    }),
  ],
])(
  '"%s" alone is found, in few steps',
  async (name, change) => {
    const options = { ...against(change), operations: 4_000, maxDifferences: 1 };
    const comparison = await compare(options);
    const expected = typeof name === 'string' ? name : expect.stringMatching(name);
    expect(comparison.differences).toMatchObject([{ name: expected }]);
    expect(comparison.differences[0]?.transcript.length).toBeLessThanOrEqual(3);
    expect(comparisonStatus(comparison)).toBe(1);
  },
  60_000,
);

test('a cause that every operation shows is one difference with a count', async () => {
  const header = 'access-control-expose-headers';
  const { differences } = await compare({ ...against(without(header)), operations: 600 });
  expect(differences.map(({ name }) => name)).toEqual([`header ${header} | absent ≠ present`]);
  const [{ times, requests } = { times: 0, requests: {} }] = differences;
  expect(times).toBeGreaterThan(300);
  expect(new Set(Object.keys(requests).map((kind) => kind.split(' ')[0])).size).toBe(12);
});

describe('the entry of the dialect that a difference names', () => {
  const dialect = { dialect: 3, refusals: { 'no-key': 403 } } as const;

  test('is the one that the service no longer keeps, with the advice to learn it again', async () => {
    const comparison = await compare({ ...against(), dialect, operations: 2_000 });
    expect(comparison.differences).toMatchObject([
      { name: 'key:none | status | 401 ≠ 403', entry: 'refusals.no-key' },
    ]);
    expect(renderComparison(comparison, look)).toMatch(
      /^ +refusals\.no-key may have changed: run learn again, or accept it; /m,
    );
  });

  test('is none if the service still answers as the dialect says', async () => {
    const { provider: _, ...target } = against(undefined, { dialect });
    const { baseUrl, apiKey, send = fetch } = against();
    const secondTarget = { baseUrl, apiKey, send };
    const options = { ...target, secondTarget, dialect, operations: 600 };
    const comparison = await compare(options);
    const { differences } = comparison;
    expect(differences).toMatchObject([{ name: 'key:none | status | 403 ≠ 401' }]);
    expect(differences[0]).not.toHaveProperty('entry');
    expect(renderComparison(comparison, look)).not.toContain('may have changed');
  });

  test('is none if the request has nothing wrong with it', async () => {
    const options = { ...against(showsDeleted), dialect: { dialect: 3 }, operations: 300 } as const;
    const { differences } = await compare(options);
    expect(differences).toMatchObject([{ name: shownDeleted }]);
    expect(differences[0]).not.toHaveProperty('entry');
  });
});

test('a recording that becomes ready on one side only is one difference', async () => {
  const errors = { retrievePlayback: { operation: { given: 404 } } } as const;
  const dialect = { dialect: 3, errors } as const;
  const target = against(undefined, { dialect, recordingDelay: 3_600_000 });
  const options = { ...target, dialect, patience: 2_500, time: 60_000, operations: 4_000 };
  const { differences } = await compare(options);
  expect(differences.map(({ name }) => name)).toEqual(['recording | pending ≠ ready']);
  expect(differences[0]?.transcript.length).toBeLessThanOrEqual(4);
});

test('refusals of another form are one difference, even with different codes', async () => {
  let refused = 0;
  const change = answering((_, response) =>
    response.status >= 400 && response.body !== null
      ? Response.json({ code: ['GONE', 'WRONG', 'NONE'][refused++ % 3] }, response)
      : undefined,
  );
  const { differences } = await compare({ ...against(change), operations: 600 });
  expect(differences.map(({ name }) => name)).toEqual([
    'refusal | {"code":"…"} ≠ {"errors":["…"]}',
  ]);
});

test.each(['empty', 'text'])('a refusal with the body %s is named so', (kind) => {
  const kinds = [JSON.stringify(kind), '{"errors":["{message}"]}'] as const;
  expect(nameOfDifference({ where: 'refusal', kinds })).toBe(
    `refusal | "${kind}" ≠ {"errors":["…"]}`,
  );
});

const refused = (code: string): Alteration =>
  answering((_, { status, headers }) =>
    status === 404 ? Response.json({ code }, { status, headers }) : undefined,
  );

test('a code that differs between the sides is a difference', async () => {
  const { provider: _, ...target } = against(refused('MISSING'));
  const { baseUrl, apiKey, send = fetch } = against(refused('GONE'));
  const secondTarget = { baseUrl, apiKey, send };
  const { differences } = await compare({ ...target, operations: 300, secondTarget });
  expect(differences.map(({ name }) => name)).toEqual([
    'refusal | {"code":"MISSING"} ≠ {"code":"GONE"}',
  ]);
});

test('lists that both sides show under a key are compared', async () => {
  const wrapped = { 'response.wrapped': { listStreams: { data: '{result}' } } } as const;
  const order = { 'list.order': { listStreams: 'oldest-first' } } as const;
  const behaviours = { ...wrapped, ...order };
  const target = against(undefined, { dialect: { dialect: 3, behaviours } });
  const dialect = { dialect: 3, behaviours: wrapped } as const;
  const { differences } = await compare({ ...target, dialect, operations: 500, maxDifferences: 1 });
  expect(differences.map(({ where }) => where)).toEqual([
    expect.stringMatching(/items$|^order of the list$/),
  ]);
});

test('the same seed finds the same differences in the same sequences', async () => {
  const found = async (seed: number): Promise<unknown[]> => {
    const options = { ...against(showsDeleted), operations: 200, seed };
    const { differences } = await compare(options);
    return differences.map(({ name, sequence, requests }) => [name, sequence, requests]);
  };
  expect(await found(7)).toEqual(await found(7));
  expect(await found(7)).not.toEqual(await found(8));
});

test('a difference shows the shortest sequence, without the key', async () => {
  const options = { ...against(showsDeleted), operations: 500, maxDifferences: 1 };
  const { differences } = await compare(options);
  const { transcript = [] } = differences[0] ?? {};
  expect(transcript).toMatchObject([
    { move: 'createStream', sides: [{ status: 201 }, { status: 201 }] },
    { move: 'deleteStream', sides: [{ status: 200 }, { status: 204 }] },
  ]);
  const [ofTarget, ofMock] = transcript.at(-1)?.sides ?? [];
  expect(ofTarget?.curl).toMatch(
    /^curl .* -X 'DELETE' -H 'authorization: Bearer \[API key\]' --url 'http/,
  );
  expect([ofTarget?.body, ofMock?.body]).toEqual(['{}', '']);
  expect(JSON.stringify(differences)).not.toContain(apiKey);
});

test('ten differences, some in one response, are found and take at most forty lines', async () => {
  const headers = ['allow-origin', 'allow-headers', 'allow-methods', 'expose-headers', 'max-age'];
  const changes = [
    ...headers.map((name) => without(`access-control-${name}`)),
    ...['content-type', 'allow', 'www-authenticate'].map(without),
    showsDeleted,
    answering((_, { status }) => (status === 422 ? new Response('', { status: 400 }) : undefined)),
    showingInNew({ region: 'north' }),
  ];
  const change: Alteration = (send) => changes.reduce((changed, next) => next(changed), send);
  const comparison = await compare({ ...against(change), operations: 1_500 });
  const ten = { ...comparison, differences: comparison.differences.slice(0, 10) };
  expect(ten.differences).toHaveLength(10);
  expect(comparison.differences.map(({ where }) => where)).toEqual(
    expect.arrayContaining(headers.map((name) => `header access-control-${name}`)),
  );
  const lines = renderComparison(ten, { colours: false, width: 100 }).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
});

test('if the control API does not exist, the comparison ends before it begins and says what to do', async () => {
  const provider = { controlUrl: 'http://service.test/nothing' };
  const comparison = await compare({ ...against(), provider });
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, look)).toMatch(
    /^No session could be made: going live .* got 404\. Check the option for it, or leave it out/m,
  );
});

test('an interruption also ends the requests to the second target, and is reported', async () => {
  const send = vi.fn();
  const secondTarget = { baseUrl: 'http://other.test/api', apiKey, send };
  const comparison = await compare({ ...against(), signal: AbortSignal.abort(), secondTarget });
  expect(send).not.toHaveBeenCalled();
  expect(renderComparison(comparison, look)).toContain('Interrupted: nothing was compared.');
});

test('an interruption does not wait for requests that hang, and names the streams that are left', async () => {
  const { send = fetch, ...target } = against();
  const stop = new AbortController();
  const created: string[] = [];
  const comparison = await compare({
    ...target,
    signal: stop.signal,
    cleanUpSignal: stop.signal,
    async send(request) {
      if (request.method === 'DELETE') {
        stop.abort();
        return new Promise<never>(() => {});
      }
      const response = await send(request);
      if (new URL(request.url).pathname === '/api/stream' && response.status === 201) {
        created.push(`stream ${(await response.clone().json()).id}`);
      }
      return response;
    },
  });
  expect(created.length).toBeGreaterThan(0);
  expect(comparison.leftBehind).toEqual(expect.arrayContaining(created));
});

test('two statuses are told apart by operation and error', async () => {
  const change = answering(async (request, { status }) =>
    status === 422 && /"(width|height|fps|bitrate)":0\b/.test(await request.text())
      ? new Response('', { status: 418 })
      : undefined,
  );
  const { differences } = await compare({ ...against(change), operations: 2_500 });
  const names = differences.map(({ name }) => name);
  const pattern = /^\w+Stream \(field:[^ ]+\) \| status \| 418 ≠ 422$/;
  expect(new Set(names).size).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(pattern);
}, 120_000);

test('no more sessions are made than a search may, and the others are counted', async () => {
  let started = 0;
  const counting: Alteration = (send) => (request) => {
    started += /\/start$/.test(request.url) ? 1 : 0;
    return send(request);
  };
  const options = { ...against(counting), operations: 600, maxSessions: 5 };
  const comparison = await compare(options);
  expect(started).toBeLessThanOrEqual(5);
  expect(comparison.missingSessions).toBeGreaterThan(0);
  expect(renderComparison(comparison, look)).toContain('--max-sessions allows no more');
});
