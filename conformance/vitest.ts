import { beforeAll, describe, test } from 'vitest';
import { sectionsOf } from './report/report-sections.ts';
import type { Sections, WordedResult } from './report/sections.ts';
import { selectRequirements } from './run/selection.ts';
import { type RunOptions, run } from './run-suite.ts';

/**
 * Turns the suite into vitest tests: one for each requirement, and one for the verdict. A test fails if
 * the target violates a `must`, and is skipped, with the reason, if a recommendation is not met or nothing could be
 * checked.
 * @throws TypeError with a one-sentence message for an invalid selection.
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
    let sections: Sections;
    beforeAll(async () => {
      sections = sectionsOf(await run(options));
    }, runLimit);
    for (const { id, statement } of selected) {
      test(`${id}: ${statement}`, (context) => {
        const result = sections.results.find((result) => result.id === id);
        if (result?.mark === 'pass' || result?.mark === 'noted') return;
        // Without a result, the target could not be judged at all.
        const explanation = result === undefined ? sections.sentence : explain(result);
        if (result?.mark === 'fail' || result?.mark === 'error') throw new Error(explanation);
        context.skip(explanation);
      });
    }
    test(`verdict of ${options.baseUrl}`, () => {
      const { exitStatus, headline, sentence, reasons } = sections;
      if (exitStatus === 0) return;
      throw new Error([headline, sentence, ...reasons].join('\n'));
    });
  });
}

/** The outcome, the requirement with its clauses, and the decisive request. */
function explain({ words, line, facts, exchanges: [decided] }: WordedResult): string {
  const exchange = decided === undefined ? [] : [decided.command, decided.response];
  return [`${words}: ${line}`, ...facts.map((fact) => fact.join(': ')), ...exchange].join('\n');
}

/** How many milliseconds a whole run may take: a person may have to go live. */
const runLimit = 3_600_000;
