import { beforeAll, describe, test } from 'vitest';
import type { Report } from './report/report.ts';
import { requirements } from './requirements.ts';
import { type RunOptions, run } from './run.ts';

/**
 * Turns the suite into vitest tests: one for every requirement, grouped by area. A test fails where
 * the target fails, and is skipped, with the reason, where a check could not be run.
 *
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { conformanceTests } from 'livestream-mock/conformance/vitest';
 *
 * const mock = createMock({ now: Date.now, recordingDelay: 0 });
 * conformanceTests({
 *   baseUrl: 'http://mock.test/api',
 *   apiKey: mock.apiKey,
 *   send: mock.fetch,
 *   provider: { controlUrl: 'http://mock.test/_mock' },
 * });
 * ```
 */
export function conformanceTests(options: RunOptions): void {
  const selected = requirements.filter(({ id }) => options.only?.includes(id) ?? true);
  describe('conformance', () => {
    let report: Report;
    beforeAll(async () => {
      report = await run(options);
    }, runLimit);
    for (const { id, statement } of selected) {
      test(`${id}: ${statement}`, (context) => {
        const result = report.results.find((one) => one.id === id);
        if (result === undefined) return context.skip('not selected by level');
        const { outcome, message = '' } = result;
        if (outcome === 'fail' || outcome === 'error') throw new Error(`${outcome}: ${message}`);
        if (outcome !== 'pass') context.skip(`${outcome}: ${message}`);
      });
    }
    test(`verdict of ${options.baseUrl}`, () => {
      if (report.verdict !== 'conformant') {
        throw new Error(`${report.verdict}\n${report.reasons.join('\n')}`);
      }
    });
  });
}

/** Milliseconds that a whole run may take, recordings by hand among them. */
const runLimit = 3_600_000;
