import { expect, test } from 'vitest';
import type { LearnOptions } from './ask-target.ts';
import { mockToLearn } from './learn.test-support.ts';
import { learn, learnOnce } from './learn.ts';

test('a response that shows the API key is contradicted, and not written', async () => {
  const options = mockToLearn();
  const send: LearnOptions['send'] = async (request) =>
    request.url.endsWith('/no-such-path')
      ? Response.json({ code: 'test-secret-key' }, { status: 404 })
      : (options.send as NonNullable<LearnOptions['send']>)(request);
  const learned = await learn({ ...options, apiKey: 'test-secret-key', send });
  expect(learned.rows['refusal.unknown-route']?.outcome).toBe('contradicted');
  expect(JSON.stringify(learned.dialect)).not.toContain('test-secret-key');
});

test('a word in a refusal that varies is no code', async () => {
  const options = mockToLearn();
  const words = ['apple', 'pear', 'plum'];
  const send: LearnOptions['send'] = async (request) =>
    request.url.endsWith('/no-such-path') && request.method === 'GET'
      ? Response.json({ code: 'NO_PATH', reason: words.pop() ?? 'lime' }, { status: 404 })
      : (options.send as NonNullable<LearnOptions['send']>)(request);
  const { rows } = await learn({ ...options, send });
  expect(rows['refusal.unknown-route']?.value).toEqual({
    status: 404,
    body: { type: 'application/json', json: { code: 'NO_PATH', reason: '{message}' } },
  });
});

test('the body of refusals of one kind is not taken for that of others', async () => {
  const options = mockToLearn();
  const send: LearnOptions['send'] = async (request) => {
    const response = await (options.send as NonNullable<LearnOptions['send']>)(request);
    const { status } = response;
    if (status < 400 || request.url.includes('/_mock')) return response;
    return Response.json({ code: status === 404 ? 'unknown' : `bad_${status % 100}` }, { status });
  };
  const { rows, dialect } = await learn({ ...options, send });
  expect(rows['refusal.body']).toMatchObject({
    outcome: 'assumed',
    reason: expect.stringContaining('one kind of refusal'),
  });
  expect(dialect.rows['refusal.unknown-route']).toEqual({
    status: 404,
    body: { type: 'application/json', json: { code: 'unknown' } },
  });
});

test('another method is asked for with a body, as it may be refused for having none', async () => {
  const options = mockToLearn({ rows: { 'refusal.method': { status: 405 } } });
  const send: LearnOptions['send'] = async (request) => {
    const isEmpty = request.method === 'PUT' && (await request.clone().text()) === '';
    if (isEmpty) return new Response(null, { status: 400 });
    return (options.send as NonNullable<LearnOptions['send']>)(request);
  };
  const { rows } = await learnOnce({ ...options, send });
  expect(rows['refusal.method']?.value).toEqual({ status: 405 });
});
