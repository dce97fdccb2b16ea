import { expect, test } from 'vitest';
import { createMock } from '../mocks/mock.ts';
import { conformanceTests } from './vitest.ts';

const mock = createMock({ now: Date.now, recordingDelay: 0 });

// Defines the tests, which pass where the target conforms in this area but for what is known.
conformanceTests({
  baseUrl: 'http://mock.test/api',
  apiKey: mock.apiKey,
  send: async (request) => {
    const answer = await mock.fetch(request);
    if (answer.status !== 204) return answer;
    return new Response(null, { status: 200 });
  },
  areas: ['record'],
  deviations: {
    known: new Map(['RECORD-1', 'RECORD-2'].map((id) => [id, { reason: 'it answers 200' }])),
    inapplicable: new Map([['RECORD-4', 'values are set once']]),
  },
});

test('a test stands for each requirement of the areas, and one for the verdict', ({ task }) => {
  const suites = task.file.tasks.flatMap((one) => (one.type === 'suite' ? one.tasks : []));
  const names = suites.map(({ name }) => name);
  expect(names.filter((name) => /^RECORD-\d+: /.test(name))).toHaveLength(names.length - 1);
  expect(names.at(-1)).toBe('verdict of http://mock.test/api');
});
