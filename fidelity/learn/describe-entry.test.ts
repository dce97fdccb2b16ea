import { expect, test } from 'vitest';
import { renderDrift } from './render-learned.ts';

test('a change says what its entry is about, and what its values mean', () => {
  const changes = [
    { name: 'behaviours.http.etag', before: 'absent', now: 'present' },
    { name: 'errors.retrieveStream.id:nul', before: { status: 404 }, now: { status: 500 } },
    { name: 'orders.reported', before: 'all', now: 'first' },
  ];
  expect(renderDrift({ changes, unknown: [], appeared: [] }, [], [])).toBe(`3 entries differ:
behaviours.http.etag: Do responses to GET have an ETag, and is If-None-Match answered with 304?
  before "absent": They have no ETag.
  now    "present": They have one, but If-None-Match has no effect.
errors.retrieveStream.id:nul: The id in the path contains the character NUL.
  before {"status":404}
  now    {"status":500}
orders.reported
  before "all"
  now    "first"
`);
});
