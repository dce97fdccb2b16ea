import * as z from 'zod';
import type { Report } from '../model/report.ts';
import { visible, visibleJson } from '../model/visible.ts';
import { judge, withoutExpired } from '../run/verdict.ts';
import { reportSchema } from './report-schema.ts';

/** A report as JSON, its invisible characters escaped. */
export function renderJson(report: Report): string {
  const { complete, ...rest } = report;
  return `${visibleJson(JSON.stringify({ ...rest, complete }, undefined, 2))}\n`;
}

/**
 * Reads a report that {@link renderJson} wrote. Its verdict is computed anew from its results, so an
 * edited one has no effect.
 * @throws Error, in one sentence, for a text that is not a complete report of this version.
 */
export function parseReport(text: string): Report {
  const result = reportSchema.safeParse(parseJson(text), { reportInput: true });
  if (result.success) return judgeAnew(result.data);
  const [issue] = result.error.issues;
  throw new Error(issue === undefined ? 'report: expected a report' : describeIssue(issue));
}

function judgeAnew(report: Report): Report {
  const today = report.startedAt.slice(0, 10);
  const results = report.results.map((result) => withoutExpired(result, today));
  return { ...report, results, ...judge({ ...report, results }) };
}

/** JSON Schema (2020-12) of a report, for programs in other languages. */
export function reportJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Conformance report of livestream-mock',
    description: 'What a run of the conformance suite found.',
    // The schema of input allows further keys, as parseReport does.
    ...z.toJSONSchema(reportSchema, { io: 'input' }),
  };
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new Error('report: expected JSON, got empty text');
  try {
    return JSON.parse(text);
  } catch {
    const end = JSON.stringify(visible(text.trimEnd().slice(-20)));
    throw new Error(
      `report: expected complete JSON, got ${text.length} characters that end with ${end}`,
    );
  }
}

function describeIssue({ path, message, input }: z.core.$ZodIssue): string {
  const where = path.map(describeStep).join('');
  return `report${where}: expected ${message}, got ${describeValue(input)}`;
}

function describeStep(step: PropertyKey): string {
  return typeof step === 'number' ? `[${step}]` : `.${visible(String(step))}`;
}

const mostCharacters = 60;

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = visibleJson(JSON.stringify(value));
  return json.length <= mostCharacters ? json : `${json.slice(0, mostCharacters)}…`;
}
