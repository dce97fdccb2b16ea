import { expect, test } from 'vitest';
import type { LearnOptions } from '../ask-target.ts';
import { mockToLearn } from '../learn.test-support.ts';
import { learnOnce } from '../learn.ts';

const shows = { 'update.shows': 'stream', 'delete.shows': 'stream' } as const;

/** Learns a mock whose successful responses to some requests are changed. */
function learnChanged(
  pattern: RegExp,
  change: (response: Response) => Response | Promise<Response>,
) {
  const { send, ...options } = mockToLearn({ rows: shows });
  const answer = send as NonNullable<LearnOptions['send']>;
  return learnOnce({
    ...options,
    async send(request) {
      const response = await answer(request);
      const isChanged = pattern.test(`${request.method} ${new URL(request.url).pathname}`);
      return isChanged && response.ok ? change(response) : response;
    },
  });
}

const changes = [
  { row: 'update.shows', pattern: /^PATCH \/api\/stream\/[^/]+$/ },
  { row: 'delete.shows', pattern: /^DELETE \/api\/stream\/[^/]+$/ },
] as const;

test.each(changes)('$row is contradicted by an object that only names the stream', async (one) => {
  const { rows } = await learnChanged(one.pattern, async (response) => {
    const { id } = await response.json();
    return Response.json({ object: 'change', id, name: 'learn' });
  });
  expect(rows[one.row]).toMatchObject({
    outcome: 'contradicted',
    breaksRule: false,
    reason:
      'expected no body, or the stream, got an object without profiles, createdAt, streamKey, playbackId, record',
  });
});

test.each(changes)('$row is contradicted by a text, which breaks no rule', async (one) => {
  const { rows } = await learnChanged(one.pattern, () => new Response('done'));
  expect(rows[one.row]).toMatchObject({
    outcome: 'contradicted',
    breaksRule: false,
    reason: 'expected no body, or the stream, got something else',
  });
});

test.each(changes)('$row is the stream as the service retrieves it', async (one) => {
  const { rows } = await learnChanged(
    /^(GET|PATCH|DELETE) \/api\/stream\/[^/]+$/,
    async (response) => {
      const { streamKey: _, ...stream } = await response.json();
      return Response.json(stream);
    },
  );
  expect(rows[one.row]?.value).toBe('stream');
});

test('a session of which only a notice can be read is not left by its stream', async () => {
  const { send, ...options } = mockToLearn();
  const { rows } = await learnOnce({
    ...options,
    async send(request) {
      const response = await (send as NonNullable<LearnOptions['send']>)(request);
      const isGone = request.url.includes('/api/session/') && response.status === 404;
      return isGone ? Response.json({ deleted: true }) : response;
    },
  });
  expect(rows['delete.leaves']?.value).toBe('nothing');
});
