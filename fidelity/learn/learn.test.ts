import { expect, test } from 'vitest';
import { rowIds } from '../../interface/silent.ts';
import type { LearnOptions } from './ask-target.ts';
import { renderEvidence } from './evidence.ts';
import { keys, mockToLearn, withOther } from './learn.test-support.ts';
import { learn } from './learn.ts';
import { renderLearned } from './terminal.ts';

test('the mock without a dialect is learned as it is, and everything is observed', async () => {
  const { observed, dialect } = await learn(mockToLearn());
  const open = [...observed].filter(([, { outcome }]) => outcome !== 'observed');
  expect(open.map(([name, one]) => [name, 'reason' in one && one.reason])).toEqual([]);
  expect(dialect).toEqual({ dialect: 2 });
  for (const id of rowIds) expect(observed.has(`behaviours.${id}`)).toBe(true);
});

test('learning takes fewer than 2,000 requests, 20 refused keys, and leaves nothing behind', async () => {
  const { cleanUpSignal: _, ...options } = mockToLearn();
  let [requests, refused] = [0, 0];
  const counting = withOther(options, async (request, answer) => {
    const response = await answer();
    const authorization = request.headers.get('authorization');
    requests += request.method === 'DELETE' ? 0 : 1;
    refused += authorization !== null && response.status === 401 ? 1 : 0;
    return response;
  });
  const { leftBehind } = await learn(counting);
  expect(requests).toBeLessThan(2_000);
  expect(refused).toBeLessThanOrEqual(20);
  expect(leftBehind).toEqual([]);
});

test('an empty X-Next-Cursor header tells of no next page', async () => {
  const options = withOther(mockToLearn(), async (_, answer) => {
    const response = await answer();
    response.headers.set('x-next-cursor', '');
    return response;
  });
  expect((await learn(options)).dialect.behaviours ?? {}).not.toHaveProperty(['list.next']);
});

test('under --read-only nothing is written with either key, and what reading shows is learned', async () => {
  const { provider: _, ...options } = mockToLearn();
  await options.send?.(
    new Request(`${options.baseUrl}/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' },
      body: '{"name":"made before"}',
    }),
  );
  const methods = new Set<string>();
  const reading = withOther({ ...options, readOnly: true }, async (request, answer) => {
    methods.add(request.method);
    return answer();
  });
  const { observed } = await learn(reading);
  expect(methods).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  for (const name of ['behaviours.stream.further-keys', 'refusals.retrieveStream.id:unknown']) {
    expect(observed.get(name)?.outcome).toBe('observed');
  }
});

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
  { 0: 'unrecorded', true: 'recorded' },
  { 0: 'all', true: 'all' },
  { 0: 'recorded', true: 'unrecorded' },
] as const)('one session of each kind tells which ones a list shows: %j', async (filters) => {
  const options = byHand(mockToLearn({ behaviours: { 'list.record': filters } }));
  const { observed } = await learn(options);
  expect(observed.get('behaviours.list.record')).toMatchObject({ value: filters });
});

test('an answer that no cell can say is not written, and said to be so', async () => {
  const options = withOther(mockToLearn(), async (request, answer) =>
    /\/stream\?limit=0$/.test(request.url) ? Response.json({ odd: true }) : answer(),
  );
  const learned = await learn(options);
  expect(learned.observed.get('refusals.listStreams.query:limit:zero')?.outcome).toBe('unsayable');
  expect(renderLearned(learned, keys)).toMatch(
    /\nAsked, but no dialect can say it\n {2}[^\n]*: refusals.listStreams.query:limit:zero\n/,
  );
});

test('two wrong values of which one is refused are no cell', async () => {
  const options = withOther(mockToLearn(), async (request, answer) =>
    /limit=-20$/.test(request.url) ? Response.json([]) : answer(),
  );
  const { observed } = await learn(options);
  expect(observed.get('refusals.listStreams.query:limit:negative')).toMatchObject({
    outcome: 'unsteady',
    reason: expect.stringContaining('one is refused, one is not'),
  });
});

test('a rule that the service breaks is named with its requirements', async () => {
  const learned = await learn(
    mockToLearn({ refusals: { updateStream: { 'field:record:given': 'kept' } } }),
  );
  expect(renderLearned(learned, keys)).toMatch(
    /\nStated rules that it breaks\n {2}updateStream: field:record:given is kept/,
  );
});

test('evidence has the question and the exchanges of a row and a cell, and no key', async () => {
  const { observed } = await learn(mockToLearn());
  const evidence = renderEvidence(observed, keys);
  expect(JSON.parse(evidence)).toMatchObject({
    'refusals.createStream.key:none': {
      outcome: 'observed',
      exchanges: expect.arrayContaining([expect.objectContaining({ status: 401 })]),
    },
    'behaviours.create.location': { question: expect.stringContaining('Location') },
  });
  for (const key of keys) expect(evidence).not.toContain(key);
});

test('a response that shows the API key is not written', async () => {
  const options = withOther(mockToLearn(), async (request, answer) =>
    request.url.endsWith('/no-such-path')
      ? Response.json({ code: keys[0] }, { status: 404 })
      : answer(),
  );
  const { observed, dialect } = await learn(options);
  expect(observed.get('refusals.unknownRoute.path:unknown')?.outcome).toBe('unsayable');
  expect(JSON.stringify(dialect)).not.toContain(keys[0]);
});

test('a word in a refusal that varies is no code', async () => {
  const words = ['apple', 'pear', 'plum', 'lime', 'fig', 'date', 'kiwi', 'quince'];
  const options = withOther(mockToLearn(), async (request, answer) =>
    request.url.endsWith('/no-such-path') && request.method === 'GET'
      ? Response.json({ code: 'NO_PATH', reason: words.pop() ?? 'nut' }, { status: 404 })
      : answer(),
  );
  const { observed } = await learn(options);
  expect(observed.get('refusals.unknownRoute.path:unknown')).toMatchObject({
    value: {
      status: 404,
      body: { type: 'application/json', json: { code: 'NO_PATH', reason: '{message}' } },
    },
  });
});

/** What learns a mock some of whose creations show something else. */
function changing(path: RegExp, change: (body: object) => object): LearnOptions {
  return withOther(mockToLearn(), async (request, answer) => {
    const response = await answer();
    const isOther = request.method !== 'POST' || response.status !== 201;
    if (isOther || !path.test(request.url)) return response;
    return Response.json(change(await response.json()), response);
  });
}

test('nothing is learned of playback where streams show no playback id', async () => {
  const options = changing(/\/stream$/, (stream) => ({ ...stream, playbackId: undefined }));
  const { observed } = await learn(options);
  expect(observed.get('refusals.retrievePlayback.operation:given')).toMatchObject({
    outcome: 'unasked',
    reason: 'a stream that shows its playbackId',
  });
});

test('a control API that tells no id of a session is said to be why nothing is known', async () => {
  const { observed } = await learn(changing(/\/start$/, () => ({})));
  expect(observed.get('behaviours.session.further-keys')).toMatchObject({
    outcome: 'unasked',
    reason: expect.stringContaining('the control API shows no id'),
  });
});

test('an interruption leaves no stream live, which a service may refuse to delete', async () => {
  const interrupted = new AbortController();
  const { cleanUpSignal: _, ...target } = mockToLearn({
    refusals: { deleteStream: { 'state:live': 409 } },
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

test('a service that allows the Origin of one page is learned with it', async () => {
  const target = withOther(mockToLearn(), async (request, answer) => {
    const response = await answer();
    const origin = request.headers.get('origin');
    response.headers.delete('access-control-allow-origin');
    if (origin === 'https://app.test') response.headers.set('access-control-allow-origin', origin);
    return response;
  });
  const learnFrom = async (more: Partial<LearnOptions>) =>
    (await learn({ ...target, ...more })).observed.get('behaviours.cors.origins');
  expect(await learnFrom({ origin: 'https://app.test' })).toMatchObject({
    value: { requests: 'echo', preflights: 'echo' },
  });
  expect(await learnFrom({})).toMatchObject({ value: { requests: 'none', preflights: 'none' } });
});
