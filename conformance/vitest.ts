import { beforeAll, describe, test } from 'vitest';
import type { Report, Result } from './model/report.ts';
import { headline } from './report/text/wording.ts';
import { select } from './run/selection.ts';
import { exitStatus } from './run/verdict.ts';
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
  const selected = select(options);
  describe('conformance', () => {
    let report: Report;
    beforeAll(async () => {
      report = await run(options);
    }, runLimit);
    for (const { id, statement } of selected) {
      test(`${id}: ${statement}`, (context) => {
        // A run has a result of every requirement that was selected.
        const result = report.results.find((one) => one.id === id) as Result;
        if (result.outcome === 'pass') return;
        if (isRed(result)) throw new Error(explain(result));
        context.skip(explain(result));
      });
    }
    test(`verdict of ${options.baseUrl}`, () => {
      if (exitStatus(report) !== 0) {
        throw new Error(`${headline(report)}\n${report.reasons.join('\n')}`);
      }
    });
  });
}

/** A failure that the target's owner knows of does not make the run fail. */
function isRed({ outcome, deviation }: Result): boolean {
  return outcome === 'error' || (outcome === 'fail' && deviation === undefined);
}

/** What came of it, what the requirement rests on, and the request that decided. */
function explain({ outcome, message = '', clause, level, evidence, deviation }: Result): string {
  const [decided] = evidence;
  const lines = [
    `${outcome}: ${message}`,
    deviation && `known: ${deviation.reason}`,
    `${level}, clause ${clause} of the interface`,
    decided && `${decided.curl}\n${decided.status ?? decided.failure}`,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Milliseconds that a whole run may take, recordings by hand among them. */
const runLimit = 3_600_000;
