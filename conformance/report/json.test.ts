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

test.each(reports)('a report is read as it was written', (report) => {
  expect(parseReport(renderJson(report))).toEqual(report);
});

test('any text is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const report = { ...sample, target: text };
      expect(parseReport(renderJson(report))).toEqual(report);
    }),
  );
});

test('complete is the last key, and no character in the file is invisible', () => {
  const { complete, ...rest } = sample;
  const text = renderJson({ complete, ...rest });
  expect(Object.keys(JSON.parse(text)).at(-1)).toBe('complete');
  expect(text).not.toMatch(/(?!\n|\u200d)[\p{Cc}\p{Cf}]/u);
});

test('a report is refused wherever it was cut off', () => {
  const text = renderJson(sample);
  for (let length = 0; length < text.length - 2; length += 97) {
    expect(() => parseReport(text.slice(0, length))).toThrow(/^report: expected (complete )?JSON/);
  }
});

test.each([
  { text: '', message: 'report: expected JSON, got empty text' },
  {
    text: '{"form',
    message: 'report: expected complete JSON, got 6 characters that end with "{\\"form"',
  },
  { text: '[]', message: 'report: expected an object with the keys format, version, ' },
  {
    text: '{}',
    message: 'report.format: expected "livestream-mock/conformance-report", got nothing',
  },
  {
    text: changed({ version: 2 }),
    message: 'report.version: expected 1, the one version that this program reads, got 2',
  },
  {
    text: changed({ complete: undefined }),
    message: 'report.complete: expected true, the last key of a complete report, got nothing',
  },
  {
    text: changed({ verdict: 'fine' }),
    message:
      'report.verdict: expected one of conformant, conformant-with-deviations, nonconformant, incomplete, got "fine"',
  },
  {
    text: changed({ results: [{ ...sample.results[0], basis: { kind: 'derived' } }] }),
    message: 'report.results[0].basis.because: expected a string, got nothing',
  },
  {
    text: changed({ results: [{ ...sample.results[0], basis: 1 }] }),
    message:
      'report.results[0].basis: expected kind "stated", or kind "derived" with because, got 1',
  },
  {
    text: changed({ target: ['\u001b'.repeat(99)] }),
    message: 'report.target: expected a string, got ["\\u001b',
  },
])('a wrong report is refused: $message', ({ text, message }) => {
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

test('a key that a later version adds is ignored', () => {
  const text = changed({ later: 1 });
  expect(parseReport(text)).toEqual(sample);
  expect(new Ajv2020().compile(reportJsonSchema())(JSON.parse(text))).toBe(true);
});
