import { expect, test } from 'vitest';
import { createRandom } from '../../fixtures/random.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { LearnOptions } from './ask-target.ts';
import { type Drift, findDrift } from './drift.ts';
import { keys, mockToLearn, withOther } from './learn.test-support.ts';
import { learn } from './learn.ts';
import { renderDrift } from './terminal.ts';

const none: Drift = { changes: [], unknown: [] };

test('a service that still does what its dialect says has no drift', async () => {
  const dialect = {
    usual: 'empty',
    refusals: { createStream: { 'field:record:given': 'dropped' } },
    behaviours: { 'list.page-size': { listStreams: 5 } },
  } as const;
  const learned = await learn(mockToLearn(dialect));
  expect(learned.dialect).toEqual({ dialect: 2, ...dialect });
  const { found } = await findDrift(mockToLearn(dialect), learned.dialect);
  expect(found).toEqual(none);
});

test('each behaviour that has changed is shown before and now', async () => {
  const now = mockToLearn({
    refusals: { updateStream: { 'field:name:given': 'dropped' } },
    behaviours: { 'list.page-size': { listStreams: 5 } },
  });
  const { found } = await findDrift(now, { dialect: 2 });
  expect(renderDrift(found ?? none, [], keys)).toContain(`refusals.updateStream.field:name:given
  before {"as":"kept"}
  now    {"as":"dropped"}
`);
  expect(found?.changes.map(({ name }) => name)).toContain('behaviours.list.page-size');
});

test('what is written by hand and true has no drift, though learning alone would see less', async () => {
  const dialect = {
    refusals: {
      createStream: { 'field:name:large': { status: 422, above: 300, below: 301 } },
    },
    behaviours: { 'list.page-size': { listStreams: 20, listSessionsOfStream: 20 } },
  } as const;
  expect((await findDrift(mockToLearn(dialect), { dialect: 2, ...dialect })).found).toEqual(none);
});

test.each([{ ready: 900 }, { ready: 2_500 }])(
  'a recording that takes $ready ms instead of 1000 has no drift, as times vary with the load',
  async ({ ready }) => {
    const dialect = { behaviours: { 'time.ready': 1_000 } };
    const now = slow(mockToLearn({ behaviours: { 'time.ready': ready } }));
    expect((await findDrift(now, { dialect: 2, ...dialect })).found).toEqual(none);
  },
);

/** What learns a mock whose responses take 5 to 40 ms. */
function slow(options: LearnOptions): LearnOptions {
  const random = createRandom('slow');
  return withOther(options, async (_, answer) => {
    await options.pause?.(random.integer(5, 40));
    return answer();
  });
}

/** What learns a mock that does not respond to some requests, by their number. */
function silentFrom(isSilent: (count: number) => boolean): LearnOptions {
  let count = 0;
  return withOther(mockToLearn(), async (_, answer) => {
    if (isSilent(++count)) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return answer();
  });
}

test('of a service that stops responding nothing is known', async () => {
  const drift = await findDrift(
    silentFrom((count) => count > 60),
    { dialect: 2 },
  );
  expect(drift).toMatchObject({
    found: undefined,
    unreachable: expect.stringContaining('stopped responding'),
  });
});

test('cells that changed alike are shown as one entry', async () => {
  const now = mockToLearn({
    refusals: { setRecord: { 'id:unknown': 410 }, deleteStream: { 'id:unknown': 410 } },
  });
  const { found } = await findDrift(now, { dialect: 2 });
  expect(renderDrift(found ?? none, [], keys)).toBe(
    '2 behaviours differ:\nrefusals.deleteStream.id:unknown\nrefusals.setRecord.id:unknown\n  before {"status":404}\n  now    {"status":410}\n',
  );
});

test('another form of refusals is one change', async () => {
  const before: Dialect = { dialect: 2, usual: 'empty' };
  const { found } = await findDrift(mockToLearn(), before);
  expect(found?.changes.map(({ name }) => name)).toEqual(['usual']);
});

test('what only another key shows is unknown without one, and no drift', async () => {
  const dialect = { refusals: { deleteStream: { 'id:other-key': 403 } } } as const;
  const { otherApiKey: _, ...options } = mockToLearn(dialect);
  expect((await findDrift(options, { dialect: 2, ...dialect })).found).toEqual({
    changes: [],
    unknown: [
      {
        name: 'refusals.deleteStream.id:other-key',
        reason: expect.stringContaining('add --other-api-key'),
      },
    ],
  });
});

test('what no dialect can say is no drift of one that does not say it', async () => {
  const options = withOther(mockToLearn(), async (request, answer) =>
    /\/stream\?limit=0$/.test(request.url) ? Response.json({ odd: true }) : answer(),
  );
  expect((await findDrift(options, { dialect: 2 })).found).toEqual(none);
});
