import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { commonDrift, type Drift, driftFrom, findDrift } from './drift.ts';
import { keys, mockToLearn, observeOnly, post, withOther } from './learn.test-support.ts';
import type { LearnOptions } from './probe-target.ts';
import { renderDrift } from './render-learned.ts';

const none: Drift = { changes: [], unknown: [], appeared: [] };

/** How a service that does as the mock has drifted from a dialect, by some of its cells and behaviours. */
async function driftOf(
  dialect: Omit<Dialect, 'dialect'>,
  names: readonly string[],
  options: LearnOptions = mockToLearn(),
): Promise<Drift> {
  return driftFrom({ dialect: 3, ...dialect }, await observeOnly(options, ...names));
}

test('what has changed is asked twice and shown as before and now; the rest is no drift', async () => {
  const dialect = {
    refusalBody: 'empty',
    errors: { createStream: { 'field:record': { given: 'dropped' } } },
  } as const;
  const now = mockToLearn({
    ...dialect,
    errors: { ...dialect.errors, updateStream: { 'field:name': { given: 'dropped' } } },
    behaviours: { 'list.page-size': { listStreams: 5 } },
  });
  const { result: drift = none } = await findDrift(now, { dialect: 3, ...dialect });
  expect(
    renderDrift(drift, [], keys),
  ).toContain(`errors.updateStream.field:name:given: The field is there, with a value of the right type.
  before {"as":"kept"}
  now    {"as":"dropped"}
`);
  expect(drift.changes.map(({ name }) => name)).toEqual([
    'errors.updateStream.field:name:given',
    'behaviours.list.page-size',
  ]);
  expect(drift.unknown).toEqual([]);
});

test('a value that changes each time is unknown, and times within a factor of 3 count as unchanged', () => {
  const change = (name: string, now: unknown) => ({ name, before: 0, now });
  const reported = 'orders.reported';
  const ready = 'behaviours.time.ready';
  const first = { ...none, changes: [change(reported, 'all'), change(ready, 5_000)] };
  const second = { ...none, changes: [change(reported, 'first'), change(ready, 10_000)] };
  expect(commonDrift(first, second)).toEqual({
    ...none,
    changes: [change(ready, 10_000)],
    unknown: [{ name: reported, reason: expect.stringContaining('between two runs') }],
  });
  const unasked: Drift = { ...none, unknown: [{ name: reported, reason: 'no answer' }] };
  for (const drift of [commonDrift(first, unasked), commonDrift(unasked, second)]) {
    expect(drift).toMatchObject({ changes: [], unknown: [{ name: reported }] });
  }
});

test('what is written by hand and true has no drift, though learning alone would see less', async () => {
  const dialect = {
    errors: { createStream: { 'field:name': { large: { status: 422, above: 300, below: 301 } } } },
    behaviours: { 'list.page-size': { listStreams: 20, listSessionsOfStream: 20 } },
  } as const;
  const names = ['errors.createStream.field:name:large', 'behaviours.list.page-size'];
  const { changes } = await driftOf(dialect, names, mockToLearn(dialect));
  expect(changes).toEqual([]);
});

test('other values in items of others are no drift', async () => {
  const oldestFirst = {
    behaviours: {
      'list.order': { listSessionsOfStream: 'oldest-first' },
      'keys.by-place': { listSessions: { parentStream: { id: 'text' } } },
    },
  } as const;
  const { provider: _, ...options } = mockToLearn(oldestFirst);
  const set = { record: true, creatorId: 'a creator', userTags: { team: 'one' } };
  const { id } = await (await post(options, '/api/stream', { name: 'of others', ...set })).json();
  for (const duration of [7.25, 100]) {
    await post(options, `/_mock/streams/${id}/start`, { duration });
    await options.pause?.(5_000);
  }
  const reading = { ...options, readOnly: true, provider: { recordedStream: id } };
  const ids = ['stream.further-keys', 'session.further-keys', 'keys.by-place', 'list.order'];
  const names = ids.map((id) => `behaviours.${id}`);
  expect(await driftOf(oldestFirst, names, reading)).toEqual(none);
});

test('a service that stops responding leaves everything unknown', async () => {
  let requests = 0;
  const dying = withOther(mockToLearn(), async (_, answer) => {
    if (++requests > 60) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return answer();
  });
  const { result, unjudgeable } = await findDrift(dying, { dialect: 3 });
  expect(result).toBeUndefined();
  expect(unjudgeable).toContain('stopped responding');
});

const unknownIds = ['errors.deleteStream.id:unknown', 'errors.setRecord.id:unknown'];

test('cells that changed in the same way are shown as one entry', async () => {
  const before = {
    errors: { setRecord: { id: { unknown: 410 } }, deleteStream: { id: { unknown: 410 } } },
  };
  expect(renderDrift(await driftOf(before, unknownIds), [], keys)).toBe(
    '2 entries differ:\nerrors.deleteStream.id:unknown: The id has the right form, but was never issued.\nerrors.setRecord.id:unknown: The id has the right form, but was never issued.\n  before {"status":410}\n  now    {"status":404}\n',
  );
});

test('a new form of refusals is one change', async () => {
  const { changes } = await driftOf({ refusalBody: 'empty' }, unknownIds);
  expect(changes.map(({ name }) => name)).toEqual(['refusalBody']);
});

const ofOther = ['deleteStream', 'setRecord'].map((name) => `errors.${name}.id:other-key`);

test.each([
  { stated: ofOther.slice(0, 1), errors: { deleteStream: { id: { 'other-key': 403 } } } },
  { stated: ofOther, refusals: { id: 403 } },
])('what only another key shows is unknown without one: $stated', async ({ stated, ...parts }) => {
  const { otherApiKey: _, ...options } = mockToLearn();
  const reason = expect.stringContaining('add --other-api-key');
  const unknown = stated.map((name) => ({ name, reason }));
  expect(await driftOf(parts, ofOther, options)).toEqual({ ...none, unknown });
});

test('a usual refusal needs only one of its cells, and an answer that no dialect can have is a change', async () => {
  const refusals = { id: 404, route: 404 };
  const moved = withOther(mockToLearn(), async (request, answer) =>
    /STREAM/.test(request.url) ? new Response('<!doctype html>') : answer(),
  );
  const { otherApiKey: _, ...options } = moved;
  const letterCase = 'errors.listSessionsOfStream.path:letter-case';
  const drift = await driftOf({ refusals }, [...ofOther, ...unknownIds, letterCase], options);
  expect(drift).toMatchObject({ changes: [{ name: letterCase }], unknown: [] });
});
