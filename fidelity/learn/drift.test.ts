import { expect, test } from 'vitest';
import { createRandom } from '../../fixtures/random.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { usualBehaviours } from '../../interface/silent.ts';
import type { LearnOptions } from './ask-target.ts';
import { findDrift } from './drift.ts';
import { mockToLearn, seenAtLeast } from './learn.test-support.ts';
import { learn } from './learn.ts';
import { renderDrift } from './terminal.ts';

const keys = ['test-demo', 'test-second'];

const dialect = {
  format: 'livestream-mock/dialect',
  version: 1,
} as const satisfies Partial<Dialect>;

test('a service that still does what its dialect says has no drift', async () => {
  const rows = { 'list.page-size': 5, 'refusal.body': 'empty' } as const;
  const learned = await learn(mockToLearn({ rows }));
  const { found } = await findDrift(mockToLearn({ rows }), learned.dialect);
  expect(found).toEqual({ changes: [], unknown: [] });
});

test('a break and the rows that it explains are no drift', async () => {
  const breaks = { 'default-profiles': true } as const;
  const learned = await learn(mockToLearn({ rows: {}, breaks }));
  const { found } = await findDrift(mockToLearn({ rows: {}, breaks }), learned.dialect);
  expect(found).toEqual({ changes: [], unknown: [] });
});

test.each([
  { ready: 2_500, learned: 2_000 },
  { ready: 13_000, learned: 10_000 },
])('a recording that takes $ready ms is learned as $learned, and has no drift', async (times) => {
  const rows = { 'time.ready': times.ready };
  for (let seed = 0; seed < 2; seed++) {
    const learned = await learn(slow(mockToLearn({ rows }), `learn ${seed}`));
    expect(learned.dialect.rows['time.ready']).toBe(times.learned);
    const { found } = await findDrift(slow(mockToLearn({ rows }), `check ${seed}`), {
      ...dialect,
      rows: { 'time.ready': times.learned },
    });
    expect(found).toEqual({ changes: [], unknown: [] });
  }
});

/** What learns a mock whose responses take 5 to 40 ms. */
function slow(options: LearnOptions, seed: string): LearnOptions {
  const random = createRandom(seed);
  const send: LearnOptions['send'] = async (request) => {
    await options.pause?.(random.integer(5, 40));
    return (options.send as NonNullable<LearnOptions['send']>)(request);
  };
  return { ...options, send };
}

test('each behaviour that has changed is shown before and now', async () => {
  const before: Dialect = { ...dialect, rows: { ...usualBehaviours, ...seenAtLeast } };
  const now = mockToLearn({ rows: { 'update.name': 'dropped', 'list.page-size': 5 } });
  const { found } = await findDrift(now, before);
  expect(found).toEqual({
    changes: [
      { id: 'list.page-size', before: { atLeast: 12 }, now: 5 },
      { id: 'update.name', before: 'changed', now: 'dropped' },
    ],
    unknown: [],
  });
  expect(renderDrift(found ?? { changes: [], unknown: [] }, [], keys)).toBe(
    '2 behaviours differ:\nlist.page-size\n  before {"atLeast":12}\n  now    5\nupdate.name\n  before "changed"\n  now    "dropped"\n',
  );
});

test('what is written by hand and true has no drift, though learning alone would see less', async () => {
  const rows = {
    'create.name-length': { atLeast: 300, below: 301, refusal: { status: 422 } },
    'list.page-size': 20,
    'sessions.page-size': 20,
  } as const;
  const learned = await findDrift(mockToLearn({ rows }), { ...dialect, rows });
  expect(learned.found).toEqual({ changes: [], unknown: [] });
  const { found } = await findDrift(
    mockToLearn({ rows: { 'list.page-size': 21, 'sessions.page-size': 21 } }),
    { ...dialect, rows },
  );
  expect(found?.changes.map(({ id, now }) => [id, now])).toEqual([
    ['create.name-length', { atLeast: 64_000 }],
    ['list.page-size', 21],
    ['sessions.page-size', 21],
  ]);
});

const refusal = { status: 422 };
const handWritten = [
  {
    row: 'create.name-length',
    stated: { atLeast: 64, below: 65, refusal },
    now: { atLeast: 32, below: 33, refusal },
    learned: { atLeast: 32, below: 50, refusal },
  },
  {
    row: 'create.name-length',
    stated: { atLeast: 70_000, below: 70_001, refusal },
    now: { atLeast: 64_000, below: 64_001, refusal },
    learned: { atLeast: 64_000, below: 70_000, refusal },
  },
  {
    row: 'list.largest-limit',
    stated: { atLeast: 20_000 },
    now: { atLeast: 10_000, below: 10_001, refusal },
    learned: { atLeast: 10_000, below: 20_000, refusal },
  },
  {
    row: 'profile.smallest.width',
    stated: { atMost: 300, above: 299, refusal },
    now: { atMost: 301, above: 300, refusal },
    learned: { atMost: 320, above: 300, refusal },
  },
] as const;

test.each(handWritten)('$row of $stated is asked exactly: $now', async (limit) => {
  const { row, stated, now, learned } = limit;
  const check = async (rows: object) =>
    (await findDrift(mockToLearn({ rows }), { ...dialect, rows: { [row]: stated } })).found;
  expect(await check({ [row]: stated })).toEqual({ changes: [], unknown: [] });
  expect(await check({ [row]: now })).toEqual({
    changes: [{ id: row, before: stated, now: learned }],
    unknown: [],
  });
});

test('a limit that holds as it is written is asked for with two requests', async () => {
  const rows = { 'create.name-length': { atLeast: 64, below: 300, refusal } } as const;
  const lengths: number[] = [];
  const { send, ...options } = mockToLearn({ rows });
  await findDrift(
    {
      ...options,
      async send(request) {
        const text = request.method === 'POST' ? await request.clone().text() : '';
        const [name = ''] = /n{20,}/.exec(text) ?? [];
        if (name !== '') lengths.push(name.length);
        return (send as NonNullable<LearnOptions['send']>)(request);
      },
    },
    { ...dialect, rows },
  );
  expect(lengths).toEqual([64, 300]);
});

/** What learns a mock that does not respond to some requests, by their number. */
function silentFrom(isSilent: (count: number) => boolean): LearnOptions {
  const options = mockToLearn();
  let count = 0;
  const send: LearnOptions['send'] = async (request) => {
    if (isSilent(++count)) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return (options.send as NonNullable<LearnOptions['send']>)(request);
  };
  return { ...options, send };
}

const whole: Dialect = { ...dialect, rows: { ...usualBehaviours, ...seenAtLeast } };

test('of a service that stops responding nothing is known', async () => {
  const drift = await findDrift(
    silentFrom((count) => count > 60),
    whole,
  );
  expect(drift).toMatchObject({
    found: undefined,
    unreachable: expect.stringContaining('stopped responding'),
  });
});

test('a service that is silent for a while has no drift, but something is unknown', async () => {
  const { found } = await findDrift(
    silentFrom((count) => count > 60 && count < 70),
    whole,
  );
  expect(found?.changes).toEqual([]);
  expect(found?.unknown).not.toEqual([]);
});

test('rows that changed alike are shown as one entry', async () => {
  const rows = {
    'refusal.unknown-id.setRecord': { status: 410 },
    'refusal.unknown-id.deleteStream': { status: 410 },
  } as const;
  const { found } = await findDrift(mockToLearn(), { ...dialect, rows });
  expect(renderDrift(found ?? { changes: [], unknown: [] }, [], keys)).toBe(
    '2 behaviours differ:\nrefusal.unknown-id.setRecord\nrefusal.unknown-id.deleteStream\n  before {"status":410}\n  now    {"status":404}\n',
  );
});

test('a dialect with the form of refusals alone is asked as well', async () => {
  const stated: Dialect = { ...dialect, rows: { 'refusal.body': 'empty' } };
  const { found } = await findDrift(mockToLearn(), stated);
  expect(found?.changes.map(({ id }) => id)).toEqual(['refusal.body']);
});

test.each([{ mp4URL: 'mp4Address' }, { mp4URL: 'mp4Address', streamKey: 'ingestKey' }])(
  'a spelling that only sessions show is unknown without them, and no drift: %j',
  async (keys) => {
    const breaks = { 'key-spelling': keys };
    const { provider: _, ...options } = mockToLearn({ rows: {}, breaks });
    const { found } = await findDrift(options, { ...dialect, rows: {}, breaks });
    expect(found).toEqual({
      changes: [],
      unknown: [{ id: 'key-spelling', reason: expect.stringContaining('add --control-url') }],
    });
  },
);

test('a spelling that streams show is drift without sessions too', async () => {
  const before = { 'key-spelling': { mp4URL: 'mp4Address', streamKey: 'ingestKey' } };
  const { provider: _, ...options } = mockToLearn({
    rows: {},
    breaks: { 'key-spelling': { streamKey: 'rtmpKey' } },
  });
  const { found } = await findDrift(options, { ...dialect, rows: {}, breaks: before });
  expect(found?.changes.map(({ id }) => id)).toEqual(['key-spelling']);
});
