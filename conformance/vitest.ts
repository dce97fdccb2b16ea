import { beforeAll, describe, test } from 'vitest';
import type { Report, Result } from './model/report.ts';
import { explainClauses, headline } from './report/wording.ts';
import { selectRequirements } from './run/selection.ts';
import { exitStatus } from './run/verdict.ts';
import { type RunOptions, run } from './run.ts';

/**
 * Turns the suite into vitest tests: one for each requirement, and one for the verdict. A test fails if
 * the target does not satisfy the requirement, and is skipped, with the reason, if it could not be checked.
 * @throws TypeError, in one sentence, for an invalid selection
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
  const selected = selectRequirements(options);
  describe('conformance', () => {
    let report: Report;
    beforeAll(async () => {
      report = await run(options);
    }, runLimit);
    for (const { id, statement } of selected) {
      test(`${id}: ${statement}`, (context) => {
        // A run has a result for every requirement that was selected.
        const result = report.results.find((one) => one.id === id) as Result;
        if (result.outcome === 'pass') return;
        if (isFailure(result)) throw new Error(explain(result));
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

/** A known deviation does not make the run fail. */
function isFailure({ outcome, deviation }: Result): boolean {
  return outcome === 'error' || (outcome === 'fail' && deviation === undefined);
}

/** The outcome, where the requirement comes from, and the decisive request. */
function explain(result: Result): string {
  const { outcome, message = '', clause, level, evidence, deviation } = result;
  const [decided] = evidence;
  const lines = [
    `${outcome}: ${message}`,
    deviation && `known: ${deviation.reason}`,
    `${level}, clause ${clause} of the interface`,
    ...explainClauses([result]),
    decided && `${decided.curl}\n${decided.status ?? decided.failure}`,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Milliseconds that a whole run may take; a person may have to go live. */
const runLimit = 3_600_000;
