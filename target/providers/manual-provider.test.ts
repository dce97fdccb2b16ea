import { expect, test } from 'vitest';
import { run } from '../../conformance/run-suite.ts';
import { serveMock } from '../servers.test-support.ts';
import { manualProvider } from './manual-provider.ts';

const apiKey = 'test-manual';

test('a person who follows the instructions makes all sessions of a run', async () => {
  const { mock, baseUrl } = await serveMock();
  const world = await mock.world(apiKey);
  let asked = 0;
  const ask = async (text: string): Promise<void> => {
    asked += 1;
    const [, id = ''] = /^Go live on stream "([^"]+)" with the stream key "[^"]+"/.exec(text) ?? [];
    await world.start(id, { duration: 8 });
  };
  const report = await run({ baseUrl, apiKey, provider: { ask }, patience: 500 });
  expect(report.provider).toBe('manual');
  for (const { outcome } of report.results.filter((result) => result.outcome !== 'pass')) {
    expect(['blocked', 'untested', 'untestable', 'noted']).toContain(outcome);
  }
  expect(asked).toBe(12);
});

test('if nobody can be asked, the checks that need a person end, and the run goes on', async () => {
  const { baseUrl } = await serveMock();
  const ask = (): Promise<void> => Promise.reject(new Error('the terminal is closed'));
  const report = await run({ baseUrl, apiKey, provider: { ask }, patience: 50 });
  expect(report.verdict).toBe('incomplete');
  expect(report.reasons.join('\n')).toMatch(/the terminal is closed/);
});

test('a question escapes text from the target', async () => {
  const texts: string[] = [];
  const provider = manualProvider(
    async (text) => void texts.push(text),
    new AbortController().signal,
  );
  const stream = { id: '\u001b[2J\n', streamKey: '"\r\u0007', fields: {} };
  expect(await provider.broadcast(stream, 8)).toBeUndefined();
  expect(texts[0]).not.toMatch(/\p{Cc}/u);
  expect(texts[0]).toContain('about 8 seconds');
});
