import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson, reportJsonSchema } from './json.ts';
import { deviating, interrupted, sample, scoped, unjudgeable } from './sample.test-support.ts';

const reports = [sample, deviating, scoped, interrupted, unjudgeable];
const validate = new Ajv2020({ strict: true }).compile(reportJsonSchema());

test.each(reports)('a report is written as JSON that matches the schema', (report) => {
  const written = JSON.parse(renderJson(report));
  expect(written).toEqual(report);
  expect([validate(written), validate.errors]).toEqual([true, null]);
});

test('any text in a report can be read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const report = { ...sample, target: text };
      expect(JSON.parse(renderJson(report))).toEqual(report);
    }),
  );
});

test('the last key is complete, and the file has no invisible characters', () => {
  const { complete, ...rest } = sample;
  const text = renderJson({ complete, ...rest });
  expect(Object.keys(JSON.parse(text)).at(-1)).toBe('complete');
  expect(text).not.toMatch(/(?!\n|\u200d)[\p{Cc}\p{Cf}]/u);
});

test.each([
  { version: 2 },
  { complete: undefined },
  { verdict: 'fine' },
  { results: [{ ...sample.results[0], basis: { kind: 'derived' } }] },
])('the schema refuses a report with %j', (part) => {
  expect(validate({ ...sample, ...part })).toBe(false);
});
