import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReport, renderJson, reportJsonSchema } from './json.ts';
import { deviating, interrupted, sample, scoped, unjudgeable } from './sample.test-support.ts';

const reports = [sample, deviating, scoped, interrupted, unjudgeable];
const validate = new Ajv2020({ strict: true }).compile(reportJsonSchema());

test.each(reports)('a report is read as it was written, and is valid by the schema', (report) => {
  const text = renderJson(report);
  expect(parseReport(text)).toEqual(report);
  expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
});

test('any text is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const report = { ...sample, target: text };
      expect(parseReport(renderJson(report))).toEqual(report);
    }),
  );
});

test('the last key is complete, and no character in the file is invisible', () => {
  const { complete, ...rest } = sample;
  const text = renderJson({ complete, ...rest });
  expect(Object.keys(JSON.parse(text)).at(-1)).toBe('complete');
  expect(text).not.toMatch(/(?!\n|\u200d)[\p{Cc}\p{Cf}]/u);
});

test('a report is refused wherever it was cut off', () => {
  const text = renderJson(sample);
  for (let length = 0; length < text.length - 2; length += 97) {
    expect(() => parseReport(text.slice(0, length))).toThrow(/^report: expected a complete JSON/);
  }
});

test.each<[part: object, message: string]>([
  [{ version: 2 }, '; version: expected 1'],
  [{ complete: undefined }, '; complete: expected true'],
  [{ verdict: 'fine' }, '; verdict: expected one of "conformant"|'],
  [
    { results: [{ ...sample.results[0], basis: { kind: 'derived' } }] },
    'basis.because: expected string',
  ],
])('a report with %j is refused, also by the schema', (part, message) => {
  const text = JSON.stringify({ ...sample, ...part });
  expect(() => parseReport(text)).toThrow(message);
  expect(validate(JSON.parse(text))).toBe(false);
});

test('the verdict and its reasons are computed anew, and keys of a later version ignored', () => {
  const edited = { ...sample, verdict: 'conformant', reasons: ['all is well'], later: 1 };
  expect(parseReport(JSON.stringify(edited))).toEqual(sample);
  expect(validate(edited)).toBe(true);
});
