import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMock, type Mock } from '../mocks/mock.ts';
import { runAgainst } from './run-against.test-support.ts';

const apiKey = 'test-demo';
const docs = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8');

test('the docs say how many requests a run sends to a mock, and how many of them without the right key', async () => {
  const mock = createMock({ now: Date.now, recordingDelay: 0, apiKeys: [apiKey] });
  const sent: Request[] = [];
  const send: Mock['fetch'] = (request) => {
    sent.push(request);
    return mock.fetch(request);
  };
  await runAgainst(send, { apiKey });
  // The suite fetches media without a key.
  const toInterface = sent.filter(({ url }) => !url.includes('/recordings/'));
  const withoutKey = toInterface.filter(
    ({ headers }) => headers.get('authorization') !== `Bearer ${apiKey}`,
  );
  const [, about = ''] = /sends about (\d+) requests/.exec(docs) ?? [];
  const [, aboutWithoutKey = ''] = /\[About (\d+)\]/.exec(docs) ?? [];
  expect(Math.abs(sent.length - Number(about)) / sent.length).toBeLessThan(0.05);
  expect(Math.abs(withoutKey.length - Number(aboutWithoutKey))).toBeLessThan(3);
});
