import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../conformance/run.ts';
import { startUnlikeService } from './unlike-service.test-support.ts';

test('a service that differs from the mock wherever it may conforms to the interface', async () => {
  const { baseUrl, controlUrl, apiKey, close } = await startUnlikeService();
  onTestFinished(close);
  const report = await run({ baseUrl, apiKey, provider: { controlUrl } });
  const open = report.results.filter(({ outcome }) => outcome !== 'pass');
  expect(open.map(({ id, outcome }) => ({ id, outcome }))).toEqual([
    { id: 'RECORD-17', outcome: 'untested' },
  ]);
  expect(report.verdict).toBe('conformant');
});
