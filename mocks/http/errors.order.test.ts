import { describe, test } from 'vitest';
import {
  badForm,
  badKey,
  body,
  foreignLive,
  noKey,
  type Refusal,
  refuses,
  withProfiles,
} from './errors.test-support.ts';
import { testKey } from './request.test-support.ts';

const tooLong = `{"name":"${'x'.repeat(102_400)}"}`;
const tooLarge = 'body: expected at most 102400 bytes, got more';
const noType = 'header content-type: expected application/json, got "text/plain"';
const noJson = 'body: expected JSON, got its end at line 1, column 2';

/** Each request is wrong in two ways; the answer is about the first. */
const doubly: Refusal[] = [
  [
    'an unknown key, malformed JSON',
    'POST /api/stream',
    { authorization: 'Bearer s3cret', body: '{' },
    401,
    badKey,
  ],
  [
    'an unknown key, too large a body',
    'POST /api/stream',
    { authorization: 'Bearer s3cret', body: tooLong },
    401,
    badKey,
  ],
  [
    'no scheme, a wrong content type',
    'POST /api/stream',
    { authorization: testKey, body: '{', type: 'text/plain' },
    401,
    badForm,
  ],
  [
    'too large a body, a wrong content type',
    'POST /api/stream',
    { body: tooLong, type: 'text/plain' },
    413,
    tooLarge,
  ],
  [
    'a wrong content type, malformed JSON',
    'POST /api/stream',
    { body: '{', type: 'text/plain' },
    415,
    noType,
  ],
  ['malformed JSON, an unknown route', 'POST /api/streams', { body: '{' }, 400, noJson],
  ['too large a body, an unknown route', 'POST /api/streams', { body: tooLong }, 413, tooLarge],
  [
    'a wrong content type, an unknown route',
    'POST /api/streams',
    { body: '{', type: 'text/plain' },
    415,
    noType,
  ],
  [
    'an unknown key, an unknown route',
    'GET /api/streams',
    { authorization: 'Bearer s3cret' },
    401,
    badKey,
  ],
  [
    'an unknown key, malformed JSON for an unknown route',
    'POST /api/streams',
    { authorization: 'Bearer s3cret', body: '{' },
    401,
    badKey,
  ],
  [
    'an unknown route, no key',
    'GET /api/streams',
    { authorization: null },
    404,
    'path: expected a known route such as GET /api/stream, got "GET /api/streams"',
  ],
  ['malformed JSON, no key', 'POST /api/stream', { authorization: null, body: '{' }, 400, noJson],
  [
    'no key, a body of another schema',
    'POST /api/stream',
    { authorization: null, body: '{}' },
    401,
    noKey,
  ],
  [
    'a body of another schema, an unknown stream',
    'PATCH /api/stream/nowhere/record',
    body({ record: 'true' }),
    422,
    'record: expected true or false, got "true"',
  ],
  [
    'a wrong query, an unknown stream',
    'GET /api/stream/nowhere/sessions?limit=0',
    {},
    422,
    'query limit: expected a whole number from 1 to 1000, got "0"',
  ],
  [
    "another key's stream, which is live",
    `PATCH /api/stream/${foreignLive}/record`,
    body({ record: false }),
    404,
    `id: expected a stream of this API key, got "${foreignLive}"`,
  ],
  [
    'a body of another schema, twin profiles',
    'POST /api/stream',
    withProfiles({ name: 'twin' }, { name: 'twin', fps: 0 }),
    422,
    'profiles[1].fps: expected a whole number above 0, got 0',
  ],
];

describe('refuses for the first of two faults', () => {
  test.each(doubly)('%s', (...given) => refuses(given));
});
