import { expect, test } from 'vitest';
import { makeWrong } from './operation-calls.ts';

test.each([{}, { name: 'a' }])('a body that nests deeply is JSON, from %o', (body) => {
  const call = { method: 'PATCH', path: '/stream/{id}', body } as const;
  const { body: wrong } = makeWrong(call, { depth: 3 }, 'a-key');
  expect(JSON.parse(String(wrong))).toEqual({ ...body, livestreamMockUnknown: [[]] });
});
