import { expect, test } from 'vitest';
import type { Flaw } from '../interface/dialect/errors.ts';
import { makeWrong } from './operation-calls.ts';

test.each([{}, { name: 'a' }])('a body that nests deeply is JSON, from %o', (body) => {
  const call = { method: 'PATCH', path: '/stream/{id}', body } as const;
  const { body: wrong } = makeWrong(call, { depth: 3 }, 'a-key');
  expect(JSON.parse(String(wrong))).toEqual({ ...body, livestreamMockUnknown: [[]] });
});

test.each<Flaw>([{ form: true }, { cut: 1 }, { spell: (json) => json }, { size: 100 }])(
  'the name in a creation is marked before its body becomes text: %j',
  (flaw) => {
    const call = { method: 'POST', path: '/stream', body: { name: 'named' } };
    expect(String(makeWrong(call, flaw, 'test-a').body)).toMatch(/livestream.mock.+named/);
  },
);
