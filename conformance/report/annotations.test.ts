import { expect, test } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { sectionsOf } from './report-sections.ts';
import { conformant, deviating, judged, passed, sample } from './sample.test-support.ts';

const failed = { ...passed, outcome: 'fail' as const, message: 'expected status 201, got 200' };

test('each cause is an annotation, which names its requirements and explains the clause', () => {
  const first = { ...failed, clause: '8' };
  const results = [first, { ...first, id: 'CREATE-2', statement: '100 % of it.' }];
  expect(renderAnnotations(sectionsOf(judged({ ...sample, results })))).toBe(
    '::error title=CREATE-1%2C CREATE-2::expected status 201, got 200%0A' +
      'CREATE-1 (must, 8): A stream is created with a name alone.%0A' +
      'CREATE-2 (must, 8): 100 %25 of it.%0A' +
      'Clause 8, Limits: Rate limits, size limits and page sizes are not specified. See livestream-mock/docs/interface.md#clause-8.\n',
  );
});

test('a recommendation that is not met is a warning', () => {
  const unmet = { ...failed, level: 'should' as const, outcome: 'unmet' as const };
  const results = [...conformant.results, unmet];
  expect(renderAnnotations(sectionsOf({ ...conformant, results }))).toMatch(
    /^::warning title=CREATE-1::/,
  );
});

test.each([conformant, deviating])('without a new failure there are no annotations', (report) => {
  expect(renderAnnotations(sectionsOf(report))).toBe('');
});
