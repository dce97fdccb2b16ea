import * as z from 'zod';
import { visibleJson } from '../../text/visible.ts';
import { outcomes, providerNames, type Report, verdicts } from '../model/report.ts';
import { areas, levels } from '../model/requirement-facts.ts';

/** A report as JSON, its invisible characters escaped. */
export function renderJson(report: Report): string {
  const { complete, ...content } = report;
  return `${visibleJson(JSON.stringify({ ...content, complete }, undefined, 2))}\n`;
}

/** JSON Schema (2020-12) of a report, for programs in other languages. */
export function reportJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Conformance report of livestream-mock',
    description: 'What a run of the conformance suite found.',
    // The schema of input allows additional keys, which a later version may have.
    ...z.toJSONSchema(reportSchema, { io: 'input' }),
  };
}

const milliseconds = z.number().min(0).describe('Milliseconds');
const texts = z.array(z.string());

/** An optional key, with its description in the published schema. */
function optionalKey<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema.exactOptional().describe(description);
}

// The interfaces of model/report.ts describe the same keys for TypeScript, as inferred types would lose their comments.
const exchangeSchema = z.object({
  curl: z.string().describe('The request as a line for a shell, the API key replaced'),
  status: optionalKey(z.int(), 'Absent if there was no response'),
  headers: optionalKey(z.record(z.string(), z.string()), 'Names in lower case'),
  body: optionalKey(z.string(), 'Cut off after a few kilobytes'),
  element: optionalKey(
    z.string(),
    'The element of a list that decides, with its index, such as [2]: {"id":"a"}',
  ),
  failure: optionalKey(z.string(), 'Why there was no complete response'),
  duration: milliseconds,
});

const deviationSchema = z.object({
  reason: z.string(),
  expires: optionalKey(z.string(), 'The last day on which it is accepted, such as 2026-12-31'),
});

const resultSchema = z.object({
  id: z.string().describe('Stable, such as RECORD-3'),
  area: z.enum(areas),
  clause: z.string().describe('The clause of the interface that says so, such as 4.2 rule 3'),
  level: z.enum(levels),
  statement: z.string().describe('What a conformant target does'),
  basis: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('stated') }),
    z.object({ kind: z.literal('derived'), because: z.string() }),
  ]),
  outcome: z
    .enum(outcomes)
    .describe(
      'fail: a must is violated; unmet: a should is not met, which fails nothing; noted: seen, and not judged; untestable: no run can test it',
    ),
  message: optionalKey(z.string(), 'Why it is not a pass'),
  observations: texts.describe('What was noted about the target, never judged'),
  evidence: z
    .array(exchangeSchema)
    .describe('What was sent and received if it is not a pass, the decisive exchange first'),
  deviation: optionalKey(deviationSchema, 'Present if the owner of the target knows about it'),
  duration: milliseconds,
});

const reportSchema: z.ZodType<Report> = z.object({
  format: z.literal('livestream-mock/conformance-report'),
  version: z.literal(1),
  suite: z.string().describe('The version of the package that judged'),
  target: z.string(),
  startedAt: z.string().describe('ISO 8601'),
  duration: milliseconds,
  provider: z.enum(providerNames).describe('Where recorded sessions came from'),
  readOnly: z.boolean(),
  areas: optionalKey(z.array(z.enum(areas)), 'The areas judged, if not all'),
  only: optionalKey(texts, 'The requirements that were judged, if they were chosen by their ids'),
  unjudgeable: optionalKey(z.string(), 'Why the target could not be judged at all, and what to do'),
  interrupted: optionalKey(z.literal(true), 'Present if it was interrupted'),
  stopped: optionalKey(z.string(), 'Present if the target stopped responding: after which request'),
  waits: optionalKey(
    z.object({ times: z.number(), duration: milliseconds }),
    'Present if the target asked to wait: how often, and for how long in all',
  ),
  verdict: z.enum(verdicts).describe('Follows from the rest'),
  reasons: texts.describe('Why the verdict is not conformant, and what would complete it'),
  results: z.array(resultSchema),
  leftBehind: texts.describe('What the suite created on the target and could not delete'),
  complete: z.literal(true).describe('Always the last key, so a report that was cut off lacks it'),
});
