import * as z from 'zod';
import { outcomes, type Report, verdicts } from '../model/report.ts';
import { areas, levels } from '../model/requirement.ts';
import { visible, visibleJson } from '../model/visible.ts';
import { judge, withoutExpired } from '../run/verdict.ts';
import { providerNames } from './wording.ts';

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
  const where = visible(path.length === 0 ? 'report' : `report.${z.core.toDotPath(path)}`);
  const json = visibleJson(JSON.stringify(input) ?? 'nothing');
  const got = json.length <= mostCharacters ? json : `${json.slice(0, mostCharacters)}…`;
  return `${where}: expected ${message}, got ${got}`;
}

/** Of a wrong value, in a message. */
const mostCharacters = 60;

/** Every message says what is expected; parseReport adds where, and what came instead. */
const text = z.string('a string');
const milliseconds = z
  .number('a number, 0 or above')
  .min(0, 'a number, 0 or above')
  .describe('Milliseconds');
const texts = z.array(text, 'an array of strings');

function oneOf<Name extends string>(names: readonly Name[]) {
  return z.enum(names, `one of ${names.join(', ')}`);
}

/** An object that may have further keys, as a later version may add some. */
function having<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, `an object with the keys ${Object.keys(shape).join(', ')}`);
}

/** A key that may be missing, with what the published schema says of it. */
function optional<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema.exactOptional().describe(description);
}

const basisSchema = z.discriminatedUnion(
  'kind',
  [
    having({ kind: z.literal('stated') }),
    having({ kind: z.literal('derived'), because: text.describe('The conclusion') }),
  ],
  'kind "stated", or kind "derived" with because',
);

const exchangeSchema = having({
  curl: text.describe('The request as a line for a shell, the API key replaced'),
  status: optional(z.int('a whole number'), 'Absent where no response came'),
  headers: optional(z.record(text, text, 'an object of strings'), 'Names in lower case'),
  body: optional(text, 'Cut off after a few kilobytes'),
  failure: optional(text, 'Why no response came, or why it is cut short'),
  duration: milliseconds,
});

const deviationSchema = having({
  reason: text,
  expires: optional(text, 'The last day on which it is accepted, such as 2026-12-31'),
});

const resultSchema = having({
  id: text.describe('Stable, such as RECORD-3'),
  area: oneOf(areas),
  clause: text.describe('The clause of the interface that says so, such as 4.2 rule 3'),
  level: oneOf(levels),
  statement: text.describe('What a conformant target does'),
  basis: basisSchema,
  outcome: oneOf(outcomes),
  message: optional(text, 'Why it is not a pass'),
  observations: texts.describe('What was noted about the target, never judged'),
  evidence: z
    .array(exchangeSchema, 'an array of exchanges')
    .describe('What was sent and received where it is not a pass, the decisive exchange first'),
  deviation: optional(deviationSchema, 'Present where the owner of the target knows of it'),
  duration: milliseconds,
});

const reportSchema: z.ZodType<Report> = having({
  format: z.literal('livestream-mock/conformance-report', '"livestream-mock/conformance-report"'),
  version: z.literal(1, '1, the one version that this program reads'),
  suite: text.describe('Version of the package that judged'),
  target: text,
  startedAt: text.describe('ISO 8601'),
  duration: milliseconds,
  provider: oneOf(providerNames).describe('Where recorded sessions came from'),
  readOnly: z.boolean('true or false'),
  areas: optional(z.array(oneOf(areas), 'an array of areas'), 'The areas judged, if not all'),
  only: optional(texts, 'The requirements that were judged, if chosen by their ids'),
  unjudgeable: optional(text, 'Why the target could not be judged at all, and what to do'),
  interrupted: optional(z.literal(true, 'true, or no such key'), 'Present if it was interrupted'),
  verdict: oneOf(verdicts).describe('Follows from the rest; computed anew when a file is read'),
  reasons: texts.describe('Why the verdict is not conformant, and what would complete it'),
  results: z.array(resultSchema, 'an array of results'),
  leftBehind: texts.describe('What the suite made on the target and could not delete'),
  complete: z
    .literal(true, 'true, the last key of a complete report')
    .describe('Always the last key: a report that was cut off lacks it'),
});
