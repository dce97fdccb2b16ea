import { expect, test } from 'vitest';
import { rowIds, usualBehaviours } from '../../interface/silent.ts';
import type { LearnOptions } from './ask-target.ts';
import { renderEvidence } from './evidence.ts';
import { mockToLearn, seenAtLeast } from './learn.test-support.ts';
import { learn, learnOnce } from './learn.ts';
import { renderLearned } from './terminal.ts';

const keys = ['test-demo', 'test-second'];

test('the mock without a dialect is learned as it is, with every row observed', async () => {
  const { rows, dialect } = await learn(mockToLearn());
  expect(dialect).toEqual({
    format: 'livestream-mock/dialect',
    version: 1,
    rows: { ...usualBehaviours, ...seenAtLeast },
  });
  expect(Object.keys(dialect.rows)).toEqual(rowIds);
  expect(new Set(Object.values(rows).map(({ outcome }) => outcome))).toEqual(new Set(['observed']));
});

test('learning takes fewer than 1,000 requests, and leaves nothing behind', async () => {
  const { cleanUpSignal: _, ...options } = mockToLearn();
  let requests = 0;
  const { leftBehind } = await learn({
    ...options,
    send(request) {
      requests += request.method === 'DELETE' ? 0 : 1;
      return (options.send as NonNullable<LearnOptions['send']>)(request);
    },
  });
  expect(requests).toBeLessThan(1_000);
  expect(leftBehind).toEqual([]);
});

test('switching the recording of a live stream is tried where streams do not show record', async () => {
  const rows = {
    'stream.record': 'absent',
    'create.record-default': true,
    'refusal.live-switch': { status: 409 },
  } as const;
  const { dialect } = await learnOnce(mockToLearn({ rows }));
  expect(dialect.rows).toMatchObject(rows);
});

test('an empty X-Next-Cursor header tells of no next page', async () => {
  const options = mockToLearn();
  const { dialect } = await learnOnce({
    ...options,
    async send(request) {
      const response = await (options.send as NonNullable<LearnOptions['send']>)(request);
      response.headers.set('x-next-cursor', '');
      return response;
    },
  });
  expect(dialect.rows).toMatchObject({ ...seenAtLeast, 'list.next': 'link' });
});

test.each([
  { breaks: { 'key-spelling': { mp4URL: 'mp4Address' } } },
  { breaks: { 'default-profiles': true } },
  { breaks: { 'update-switches-record': true } },
] as const)('a stated rule that a mock breaks is found: $breaks', async ({ breaks }) => {
  const { dialect } = await learnOnce(mockToLearn({ rows: {}, breaks }));
  expect(dialect.breaks).toEqual(breaks);
});

test('rows that a break explains are hidden, and not contradicted', async () => {
  const breaks = { 'default-profiles': true } as const;
  const { rows, dialect } = await learn(mockToLearn({ rows: {}, breaks }));
  expect(rows['profiles.omitted']).toMatchObject({
    outcome: 'hidden',
    reason: 'explained by the break default-profiles',
  });
  expect(Object.values(rows).filter(({ outcome }) => outcome === 'contradicted')).toEqual([]);
  expect(dialect.breaks).toEqual(breaks);
});

test('what cannot be asked is assumed, and says what would let it be learned', async () => {
  const { provider: _, otherApiKey: __, ...options } = mockToLearn();
  const learned = await learn(options);
  expect(learned.rows['time.ready']).toMatchObject({
    outcome: 'assumed',
    reason: expect.stringContaining('add --control-url'),
  });
  expect(learned.dialect.rows).not.toHaveProperty(['time.ready']);
  expect(renderLearned(learned, keys)).toMatch(
    /a stream of another API key: add --other-api-key\n {4}refusal\.other-key\.retrieveStream/,
  );
});

test('what no client can notice is counted beside the four counts', async () => {
  const absent = { 'operation.retrieveStream': { status: 405 } } as const;
  const learned = await learn(mockToLearn({ rows: absent }));
  const hidden = rowIds.filter((id) => learned.rows[id]?.outcome === 'hidden');
  expect(hidden.length).toBeGreaterThan(1);
  expect(renderLearned(learned, keys)).toContain(
    `\n${hidden.length} more rows cannot be noticed beside these, such as ${hidden[0]}.\n`,
  );
});

test('one row that no client can notice is named', async () => {
  const learned = await learn(mockToLearn({ rows: { 'list.next': 'not' } }));
  expect(renderLearned(learned, keys)).toContain(
    '\n1 more row cannot be noticed beside these: list.full-last-page.\n',
  );
});

test('under --read-only nothing is written with either key, and what reading shows is learned', async () => {
  const { provider: _, ...options } = mockToLearn();
  await createStream(options);
  const methods = new Set<string>();
  const { dialect } = await learn({
    ...options,
    readOnly: true,
    send(request) {
      methods.add(request.method);
      return (options.send as NonNullable<LearnOptions['send']>)(request);
    },
  });
  expect(methods).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  expect(dialect.rows).toMatchObject({
    'stream.record': usualBehaviours['stream.record'],
    'stream.further-keys': usualBehaviours['stream.further-keys'],
  });
});

/** Another client creates a stream. */
async function createStream({ baseUrl, apiKey, send }: LearnOptions): Promise<void> {
  const response = await send?.(
    new Request(`${baseUrl}/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{"name":"made before"}',
    }),
  );
  expect(response?.status).toBe(201);
}

/** What learns a mock that goes live only when a person is asked for it. */
function byHand(options: LearnOptions): LearnOptions {
  const ask = async (text: string): Promise<void> => {
    const [, id = ''] = /stream "([^"]+)"/.exec(text) ?? [];
    // It does not know the stream of the other API key.
    await options.send?.(
      new Request(`http://mock.test/_mock/streams/${id}/start`, {
        method: 'POST',
        headers: { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' },
        body: '{"duration":8}',
      }),
    );
  };
  return { ...options, provider: { ask } };
}

test.each([
  { 'sessions.record-0': 'unrecorded', 'sessions.record-true': 'recorded' },
  { 'sessions.record-0': 'all', 'sessions.record-true': 'all' },
  { 'sessions.record-0': 'recorded', 'sessions.record-true': 'unrecorded' },
] as const)('one session of each kind tells which ones a list shows: %j', async (rows) => {
  const { dialect } = await learnOnce(byHand(mockToLearn({ rows })));
  expect(dialect.rows).toMatchObject(rows);
});

test('a legal answer that no row can say is not said to break a requirement', async () => {
  const options = mockToLearn();
  const send: LearnOptions['send'] = async (request) => {
    const response = await (options.send as NonNullable<LearnOptions['send']>)(request);
    return /limit=0\b/.test(request.url) ? Response.json([]) : response;
  };
  expect(renderLearned(await learn({ ...options, send }), keys)).toContain(
    'expected the list as it is without limit=0, got 0 records; legal, not expressible',
  );
});

test('a break is described with its requirements', async () => {
  const options = mockToLearn({ rows: {}, breaks: { 'update-switches-record': true } });
  expect(renderLearned(await learn(options), keys)).toContain(
    '  update-switches-record: PATCH /stream/{id} switches recording. See RECORD-16.\n',
  );
});

test('a row that is answered in two ways is unsteady, and not written', async () => {
  const options = mockToLearn();
  let asked = 0;
  const send: LearnOptions['send'] = async (request) =>
    request.url.endsWith('/no-such-path') && request.method === 'GET' && ++asked % 3 === 1
      ? new Response(null, { status: 410 })
      : (options.send as NonNullable<LearnOptions['send']>)(request);
  const { rows, dialect } = await learn({ ...options, send });
  expect(rows['refusal.unknown-route']).toMatchObject({ outcome: 'unsteady' });
  expect(dialect.rows).not.toHaveProperty(['refusal.unknown-route']);
});

test('evidence has the question and the exchanges of a row, and no key', async () => {
  const { rows } = await learnOnce(mockToLearn());
  const evidence = renderEvidence(rows, keys);
  expect(JSON.parse(evidence)['refusal.no-key']).toMatchObject({
    question: 'How is a request without an API key refused?',
    outcome: 'observed',
    exchanges: expect.arrayContaining([expect.objectContaining({ status: 401 })]),
  });
  for (const key of keys) expect(evidence).not.toContain(key);
});

/** What learns a mock some of whose responses of success are changed. */
function changing(path: RegExp, change: (body: object) => object): LearnOptions {
  const options = mockToLearn();
  const send: LearnOptions['send'] = async (request) => {
    const response = await (options.send as NonNullable<LearnOptions['send']>)(request);
    if (request.method !== 'POST' || response.status !== 201 || !path.test(request.url)) {
      return response;
    }
    return Response.json(change(await response.json()), response);
  };
  return { ...options, send };
}

test('nothing is learned of another key where streams show no playback id', async () => {
  const options = changing(/\/stream$/, (stream) => ({ ...stream, playbackId: undefined }));
  const { rows } = await learnOnce(options);
  expect(rows['refusal.other-key.retrievePlayback']).toMatchObject({
    outcome: 'assumed',
    reason: 'a stream that shows its playbackId',
  });
});

test('a control API that tells no id of a session is said to be why nothing is known', async () => {
  const { rows } = await learnOnce(changing(/\/start$/, () => ({})));
  expect(rows['session.further-keys']).toMatchObject({
    outcome: 'assumed',
    reason: expect.stringContaining('the control API shows no id'),
  });
});

test('an interruption leaves no stream live, which a service may refuse to delete', async () => {
  const interrupted = new AbortController();
  const { cleanUpSignal: _, ...target } = mockToLearn({
    rows: { 'refusal.live-delete': { status: 409 } },
  });
  const send: LearnOptions['send'] = async (request) => {
    const isUnending = request.url.endsWith('/start') && request.body === null;
    const response = await target.send?.(request);
    if (isUnending) interrupted.abort();
    return response ?? Response.error();
  };
  const { leftBehind } = await learn({ ...target, send, signal: interrupted.signal });
  expect(interrupted.signal.aborted).toBe(true);
  expect(leftBehind).toEqual([]);
});

test('a service that allows the Origin of one page is learned with it', async () => {
  const { send: answer, ...target } = mockToLearn();
  const send: LearnOptions['send'] = async (request) => {
    const response = (await answer?.(request)) ?? Response.error();
    const origin = request.headers.get('origin');
    response.headers.delete('access-control-allow-origin');
    if (origin === 'https://app.test') response.headers.set('access-control-allow-origin', origin);
    return response;
  };
  const learnFrom = async (more: Partial<LearnOptions>) =>
    (await learnOnce({ ...target, send, ...more })).dialect.rows['cors.requests'];
  expect(await learnFrom({ origin: 'https://app.test' })).toBe('echo');
  expect(await learnFrom({})).toBe('none');
});
