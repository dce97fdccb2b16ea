import { describe, test } from 'vitest';
import {
  body,
  calm,
  live,
  type Refusal,
  refuses,
  session,
  unknownId,
  withProfiles,
} from './errors.test-support.ts';

const rules: Refusal[] = [
  [
    'two profiles of one name',
    'POST /api/stream',
    withProfiles({ name: 'a' }, { name: 'b' }, { name: 'a' }),
    400,
    'profiles[2].name: expected a name of its own, got "a", the name of profiles[0]',
  ],
  [
    'the record value of a live stream',
    `PATCH /api/stream/${live}/record`,
    body({ record: false }),
    400,
    `record: expected a stream that is not live, got stream ${live} with live session ${session}; stop it first`,
  ],
  [
    'the record value of a session',
    `PATCH /api/stream/${session}/record`,
    body({ record: false }),
    400,
    `id: expected a parent stream, got session ${session} of stream ${live}; a session is read-only, its record value cannot change`,
  ],
  [
    'deleting a session',
    `DELETE /api/stream/${session}`,
    {},
    400,
    `id: expected a parent stream, got session ${session} of stream ${live}; a session is read-only, it cannot be deleted`,
  ],
  [
    'starting a live stream',
    `POST /_mock/streams/${live}/start`,
    {},
    400,
    `start: expected a stream that is not live, got stream ${live} with live session ${session}; stop it first`,
  ],
  [
    'stopping a stream that is not live',
    `POST /_mock/streams/${calm}/stop`,
    {},
    400,
    `stop: expected a live stream, got stream ${calm}, which is not live`,
  ],
];

const unknown: Refusal[] = [
  ['a stream', 'GET /api/stream/nowhere', {}, 404, unknownId],
  ['a stream to delete', 'DELETE /api/stream/nowhere', {}, 404, unknownId],
  ['a parent', 'GET /api/stream/nowhere/sessions?record=1', {}, 404, unknownId],
  [
    'a session',
    'GET /api/session/nowhere',
    {},
    404,
    'id: expected a session of this API key, got "nowhere"',
  ],
  [
    'a stream where a session is asked for',
    `GET /api/session/${calm}`,
    {},
    404,
    `id: expected a session of this API key, got "${calm}"`,
  ],
  [
    'a session where a parent is asked for',
    `GET /api/stream/${session}/sessions`,
    {},
    404,
    `id: expected a parent stream, got session ${session} of stream ${live}`,
  ],
  [
    'media',
    'GET /recordings/nowhere/index.m3u8',
    { authorization: null },
    404,
    'path: expected media of a session that this mock knows, got "/recordings/nowhere/index.m3u8"',
  ],
];

describe.each([
  { what: 'breach of a rule', cases: rules },
  { what: 'unknown', cases: unknown },
])('refuses, by $what:', ({ cases }) => {
  test.each(cases)('%s', (...given) => refuses(given));
});
