import { expect, test } from 'vitest';
import type { Behaviours } from '../../interface/silent.ts';
import type { LearnOptions } from './ask-target.ts';
import { mockToLearn } from './learn.test-support.ts';
import { learnOnce } from './learn.ts';

const absent = { status: 404 } as const;
const refused = { status: 422 } as const;

/** Rows of which one hides another from the plainest way to find it out. */
const together: readonly Partial<Behaviours>[] = [
  {
    'operation.retrieveStream': absent,
    'list.page-size': 2,
    'list.order': 'oldest-first',
    'update.unknown-field': 'dropped',
    'update.name': 'dropped',
  },
  {
    'operation.retrieveStream': absent,
    'operation.listStreams': absent,
    'update.shows': 'stream',
    'update.profiles': 'changed',
    'update.record': 'dropped',
  },
  {
    'operation.retrieveStream': absent,
    'operation.listStreams': absent,
    'delete.shows': 'stream',
    'update.known-field.pull': 'dropped',
  },
  { 'list.limit': 'ignored', 'list.page-size': 5, 'list.full-last-page': 'not' },
  {
    'list.limit': refused,
    'operation.listStreams': absent,
    'sessions.page-size': 5,
    'list.full-last-page': 'not',
  },
  {
    'list.limit': 'ignored',
    'sessions.page-size': 2,
    'list.full-last-page': 'told',
  },
  {
    'operation.retrieveSession': absent,
    'operation.listSessions': absent,
    'list.sessions-among-streams': 'both',
    'delete.leaves': 'sessions',
  },
  {
    'operation.retrieveSession': absent,
    'sessions.record-absent': refused,
    'sessions.status-unrecorded': 'none',
  },
];

test.each(together)(
  'a row is learned in another way beside one that hides it: %j',
  async (rows) => {
    const { dialect } = await learnOnce(mockToLearn({ rows }));
    expect(dialect.rows).toMatchObject(rows);
  },
);

const amongMany: readonly Partial<Behaviours>[] = [
  {},
  { 'list.limit': 'ignored' },
  { 'list.limit': refused, 'list.order-by.listStreams': 'ignored' },
];

test.each(amongMany)('sessions among more streams than a page has are found: %j', async (more) => {
  for (const among of ['both', 'streams'] as const) {
    const rows: Partial<Behaviours> = {
      'list.sessions-among-streams': among,
      'list.order': 'oldest-first',
      'list.page-size': 20,
      ...more,
    };
    const { dialect } = await learnOnce(await withOlderStreams(mockToLearn({ rows }), 30));
    expect(dialect.rows['list.sessions-among-streams']).toBe(among);
  }
});

test('whether sessions are listed among streams is not known where no page would show one', async () => {
  const rows: Partial<Behaviours> = {
    'list.order': 'oldest-first',
    'list.page-size': 20,
    'list.next': 'not',
    'list.limit': 'ignored',
    'list.order-by.listStreams': 'ignored',
  };
  const learned = await learnOnce(await withOlderStreams(mockToLearn({ rows }), 30));
  expect(learned.rows['list.sessions-among-streams']).toMatchObject({
    outcome: 'assumed',
    reason: 'a page of GET /stream that would show a known session: none was found',
  });
});

async function withOlderStreams(options: LearnOptions, count: number): Promise<LearnOptions> {
  const { baseUrl, apiKey } = options;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  for (let number = 0; number < count; number++) {
    const body = JSON.stringify({ name: `older ${number}` });
    await options.send?.(new Request(`${baseUrl}/stream`, { method: 'POST', headers, body }));
    await options.pause?.(1);
  }
  return options;
}
