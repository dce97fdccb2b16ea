import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSpecs } from '../tools/vitest.test-support.ts';

test('each requirement of the areas is a test that fails, is skipped or passes like the requirement', async () => {
  const results = await runSpecs(fileURLToPath(new URL('vitest-specs', import.meta.url)));
  const withStatus = (status: string): string[] =>
    results.filter((one) => one.status === status).map(({ title }) => title.replace(/:.*/, ''));
  expect(withStatus('failed')).toEqual(['RECORD-2', 'verdict of http']);
  expect(withStatus('skipped')).toEqual(['RECORD-1', 'RECORD-4', 'RECORD-17']);
  expect(withStatus('passed')).toContain('RECORD-3');
  expect(results.every(({ title }) => /^(RECORD-\d+: |verdict of )/.test(title))).toBe(true);

  const failed = results.find(({ title }) => title.startsWith('RECORD-2'));
  const [message = ''] = failed?.failureMessages ?? [];
  expect(message).toContain('expected status 204 and no body, got 200 and no body');
  expect(message).toMatch(/curl .*-X 'PATCH' .*--data-raw '\{"record":false\}'/);
}, 60_000);
