import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReport, renderJson, reportJsonSchema } from './json.ts';
import {
  conformant,
  deviating,
  interrupted,
  sample,
  scoped,
  unjudgeable,
} from './sample.test-support.ts';

const reports = [sample, conformant, deviating, scoped, interrupted, unjudgeable];

test.each(reports)('a report that is written is read as it was', (report) => {
  expect(parseReport(renderJson(report))).toEqual(report);
});

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const report = { ...sample, target: text };
      expect(parseReport(renderJson(report))).toEqual(report);
    }),
  );
});

test('complete is the last key, and nothing in the file acts without being seen', () => {
  const { complete, ...rest } = sample;
  const text = renderJson({ complete, ...rest });
  expect(Object.keys(JSON.parse(text)).at(-1)).toBe('complete');
  expect(text).not.toMatch(/(?!\n|\u200d)[\p{Cc}\p{Cf}]/u);
});

test('a report that was cut off is refused, wherever the cut is', () => {
  const text = renderJson(sample);
  for (let length = 0; length < text.length - 2; length += 97) {
    expect(() => parseReport(text.slice(0, length))).toThrow(/^report: expected (complete )?JSON/);
  }
});

test.each([
  ['', 'report: expected JSON, got empty text'],
  ['{"form', 'report: expected complete JSON, got 6 characters that end with "{\\"form"'],
  ['[]', 'report: expected an object with the keys format, version, '],
  ['{}', 'report.format: expected "livestream-mock/conformance-report", got nothing'],
  [
    changed({ version: 2 }),
    'report.version: expected 1, the one version that this program reads, got 2',
  ],
  [
    changed({ complete: undefined }),
    'report.complete: expected true, the last key of a complete report, got nothing',
  ],
  [
    changed({ verdict: 'fine' }),
    'report.verdict: expected one of conformant, conformant-with-deviations, nonconformant, incomplete, got "fine"',
  ],
  [
    changed({ results: [{ ...sample.results[0], basis: { kind: 'derived' } }] }),
    'report.results[0].basis.because: expected a string, got nothing',
  ],
  [
    changed({ results: [{ ...sample.results[0], basis: 1 }] }),
    'report.results[0].basis: expected kind "stated", or kind "derived" with because, got 1',
  ],
  [changed({ target: ['\u001b'.repeat(99)] }), 'report.target: expected a string, got ["\\u001b'],
])('%.20s… is refused: %s', (text, message) => {
  expect(() => parseReport(text)).toThrow(message);
  expect(() => parseReport(text)).toThrow(/^[^\n]{1,300}$/);
});

function changed(part: object): string {
  return JSON.stringify({ ...sample, ...part });
}

test('an independent validator accepts reports by the published schema, and refuses others', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(reportJsonSchema());
  for (const report of reports) {
    expect([validate(JSON.parse(renderJson(report))), validate.errors]).toEqual([true, null]);
  }
  for (const part of [
    { complete: undefined },
    { version: 2 },
    { results: [{}] },
    { verdict: '' },
  ]) {
    expect(validate(JSON.parse(changed(part)))).toBe(false);
  }
});

test('a key that a later version adds is no fault', () => {
  const text = changed({ later: 1 });
  expect(parseReport(text)).toEqual(sample);
  expect(new Ajv2020().compile(reportJsonSchema())(JSON.parse(text))).toBe(true);
});
