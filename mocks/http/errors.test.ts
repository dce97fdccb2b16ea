import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import {
  badForm,
  badKey,
  body,
  calm,
  mock,
  noKey,
  type Refusal,
  refuses,
  withProfiles,
} from './errors.test-support.ts';
import { newStreamKeys, readErrors, testKey, testRequest } from './request.test-support.ts';

const keys = `an object with the keys ${newStreamKeys}`;
const profileKeys = 'name, bitrate, fps, width, height, fpsDen, quality, gop, profile, encoder';

const credentials: Refusal[] = [
  ['none', 'GET /api/stream', { authorization: null }, 401, noKey],
  ['an empty one', 'GET /api/stream', { authorization: '' }, 401, noKey],
  ['a key without scheme', 'GET /api/stream', { authorization: testKey }, 401, badForm],
  ['a scheme without key', 'GET /api/stream', { authorization: 'Bearer ' }, 401, badForm],
  ['another scheme', 'GET /api/stream', { authorization: `Basic ${testKey}` }, 401, badForm],
  [
    'a doubled one',
    'GET /api/stream',
    { authorization: `Bearer ${testKey}, Bearer ${testKey}` },
    401,
    badForm,
  ],
  ['an unknown key', 'GET /api/stream', { authorization: 'Bearer s3cret' }, 401, badKey],
  ['no key for the control API', 'POST /_mock/reset', { authorization: null }, 401, noKey],
];

const bodies: Refusal[] = [
  ['nothing', 'POST /api/stream', {}, 422, `body: expected ${keys}, got nothing`],
  ['null', 'POST /api/stream', body(null), 422, `body: expected ${keys}, got null`],
  ['an array', 'POST /api/stream', body([1]), 422, `body: expected ${keys}, got an array of 1`],
  [
    'no name',
    'POST /api/stream',
    body({ record: true }),
    422,
    'name: expected a string, got nothing',
  ],
  [
    'two faults',
    'POST /api/stream',
    body({ name: 7, record: null }),
    422,
    'name: expected a string, got 7',
    'record: expected true or false, got null',
  ],
  [
    'unknown fields',
    'POST /api/stream',
    body({ name: 'a', recrod: true, fps: 1 }),
    422,
    `body: expected no keys but ${newStreamKeys}, got "recrod", "fps"`,
  ],
  [
    'profiles that are no array',
    'POST /api/stream',
    body({ name: 'a', profiles: { '720p': {} } }),
    422,
    'profiles: expected an array of profiles, got an object',
  ],
  [
    'a profile that is no object',
    'POST /api/stream',
    body({ name: 'a', profiles: ['720p'] }),
    422,
    `profiles[0]: expected an object with the keys ${profileKeys}, got "720p"`,
  ],
  [
    'a number as text',
    'POST /api/stream',
    withProfiles({}, { fps: '30' }),
    422,
    'profiles[1].fps: expected a whole number above 0, got "30"',
  ],
  [
    'a fraction',
    'POST /api/stream',
    withProfiles({ width: 1.5 }),
    422,
    'profiles[0].width: expected a whole number above 0, got 1.5',
  ],
  [
    'an unknown field of a profile',
    'POST /api/stream',
    withProfiles({ codec: 'h264' }),
    422,
    `profiles[0]: expected no keys but ${profileKeys}, got "codec"`,
  ],
  [
    'another codec profile',
    'POST /api/stream',
    withProfiles({ profile: 'h264high' }),
    422,
    'profiles[0].profile: expected one of H264Baseline, H264Main, H264High, H264ConstrainedHigh, got "h264high"',
  ],
  [
    'no record',
    `PATCH /api/stream/${calm}/record`,
    body({}),
    422,
    'record: expected true or false, got nothing',
  ],
  [
    'a clock that goes back',
    'POST /_mock/clock',
    body({ advance: -1 }),
    422,
    'advance: expected a number of milliseconds, or a text such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days, got -1',
  ],
  [
    'a clock that is both advanced and set',
    'POST /_mock/clock',
    body({ advance: '1s', now: 0 }),
    422,
    'body: expected an object with advance or now, with speed, or with one of them and speed, got an object',
  ],
  [
    'a clock of negative speed',
    'POST /_mock/clock',
    body({ speed: -1 }),
    422,
    'speed: expected a number from 0, which is paused, to 3600, got -1',
  ],
];

describe.each([
  { what: 'credential', cases: credentials },
  { what: 'body', cases: bodies },
])('refuses, by $what:', ({ cases }) => {
  test.each(cases)('%s', (...given) => refuses(given));
});

test('shows neither the keys of a mock nor the one that was sent', async () => {
  const exact = createMock({ apiKeys: ['s3cret-1'] });
  const response = await exact.fetch(
    testRequest('GET /api/stream', { authorization: 'Bearer s3cret-2' }),
  );
  expect(response.status).toBe(401);
  expect(await readErrors(response)).toEqual([
    'header authorization: expected "Bearer <API key>" with one of the keys that this mock was started with, got a key that is not known here',
  ]);
});

test('names the first 20 of very many faults and counts the others', async () => {
  const many = body({ name: 1, profiles: Array.from({ length: 5_000 }, () => ({})) });
  const response = await mock.fetch(testRequest('POST /api/stream', many));
  expect(response.status).toBe(422);
  const errors = await readErrors(response);
  expect(errors).toHaveLength(21);
  expect([errors[0], errors[20]]).toEqual([
    'name: expected a string, got 1',
    'body: expected no more issues, got 24981 more',
  ]);
});

test('names the first 10 of very many unknown keys and counts the others', async () => {
  const many = body(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1])));
  const response = await mock.fetch(testRequest('POST /api/stream', many));
  expect((await readErrors(response))[1]).toMatch(/"k8", "k9" and 4990 more$/);
});
