import { expect, test } from 'vitest';
import { breachesOf } from '../../interface/dialect/breaches.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { createMock } from '../../mocks/mock.ts';
import { isViolation } from '../model/report.ts';
import { runAgainst } from '../run-against.test-support.ts';

/** Dialects that break stated rules on purpose. Between them they break most of the stated rules that a dialect can. */
const breaking: readonly Omit<Dialect, 'dialect'>[] = [
  { errors: { createStream: { key: { none: 'accepted' }, 'field:name': { missing: 'kept' } } } },
  { errors: { createStream: { key: { wrong: 'accepted' }, 'field:name': { number: 'text' } } } },
  { errors: { createStream: { body: { malformed: 500 }, 'field:profiles': { text: 'dropped' } } } },
  { errors: { createStream: { 'field:record': { given: 'dropped' } } } },
  { errors: { setRecord: { key: { none: 'accepted' }, 'field:record': { missing: 'kept' } } } },
  {
    errors: {
      setRecord: { key: { wrong: 'accepted' }, 'field:record': { 'boolean-text': 'boolean' } },
    },
  },
  { errors: { setRecord: { id: { malformed: 'done' } } } },
  { errors: { setRecord: { id: { unknown: 'done', session: 'done' } } } },
  { errors: { listSessionsOfStream: { key: { none: 'accepted' } } } },
  { errors: { listSessionsOfStream: { key: { wrong: 'accepted' } } } },
  { errors: { listSessionsOfStream: { 'query:record': { given: 'dropped' } } } },
  { errors: { updateStream: { 'field:record': { given: 'kept' } } } },
  { behaviours: { 'profiles.default': { omitted: [...recommendedProfiles] } } },
  { behaviours: { 'keys.spelling': { mp4URL: 'mp4Address', createdAt: 'created' } } },
  { behaviours: { 'keys.spelling': { playbackId: 'playback', streamKey: 'key' } } },
  { behaviours: { 'keys.spelling': { recordingUrl: 'hls', parentId: 'parent' } } },
  {
    behaviours: {
      'list.next': { listSessionsOfStream: 'not' },
      'list.page-size': { listSessionsOfStream: 2 },
    },
  },
];

test.each(breaking)(
  'with %j, the suite fails requirements of each rule that it breaks, and no others',
  async (parts) => {
    const dialect: Dialect = { dialect: 3, ...parts };
    const apiKey = 'the-right-key';
    const mock = createMock({ dialect, apiKeys: [apiKey], recordingDelay: 0, now: Date.now });
    const { results } = await runAgainst(mock.fetch, { apiKey, patience: 2_000 });
    const rules = breachesOf(dialect).map(({ requirements }) => requirements);
    const failed = results.filter(isViolation).map(({ id }) => id);
    expect(failed.filter((id) => !rules.flat().includes(id))).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(failed).toContainEqual(expect.toBeOneOf([...rule]));
  },
);
