import * as z from 'zod';
import { visibleJson } from '../../../text/visible.ts';
import { type ClientReport, clientVerdicts, trialKinds } from '../client-report.ts';
import { trialOutcomes } from '../outcomes.ts';

/** A report on an app as JSON, its invisible characters escaped. */
export function renderClientJson(report: ClientReport): string {
  const { complete, ...content } = report;
  return `${visibleJson(JSON.stringify({ ...content, complete }, undefined, 2))}\n`;
}

/** JSON Schema (2020-12) of a report on an app, for programs in other languages. */
export function clientReportJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Report of livestream-mock on an app',
    description: 'How the tests of an app did with services that differ and still conform.',
    // The schema of input allows additional keys, which a later version may have.
    ...z.toJSONSchema(reportSchema, { io: 'input' }),
  };
}

const milliseconds = z.number().min(0).describe('Milliseconds');
const texts = z.array(z.string());

function optionalKey<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema.exactOptional().describe(description);
}

// The interfaces of client-report.ts describe the same keys for TypeScript, as inferred types would lose their comments.
const failedRunSchema = z.object({
  command: z.string().describe('The line for a shell that runs the tests again like this'),
  failure: z.string().describe('How the tests failed, such as: failed with status 1'),
  output: z.string().describe('The end of what the tests wrote, with what failed'),
  requests: z.int().describe('How many requests of the run are known'),
  archive: optionalKey(z.string(), 'The HTTP archive with these requests'),
  duration: milliseconds,
});

const resultSchema = z.object({
  name: z.string().describe('The variant, or several joined by +; the name or file of a dialect'),
  kind: z.enum(trialKinds),
  outcome: z.enum(trialOutcomes),
  statement: z.string().describe('What the service did'),
  clause: optionalKey(z.string(), 'The clause of the interface that leaves it open'),
  argument: optionalKey(z.string(), 'Why the interface allows it'),
  message: optionalKey(z.string(), 'Why the app has not survived it, and what to do'),
  changed: z.int().describe('How many responses were different in the run that decided'),
  answered: z.int().describe('How many requests of that run came to a mock that behaved like it'),
  cutOff: optionalKey(
    z.object({
      duration: milliseconds,
      plainDuration: milliseconds.describe('Milliseconds of the longest run with the plain mock'),
    }),
    'Present if the budget ended a run with it, so that it was not tried',
  ),
  known: optionalKey(z.string(), 'Why the app may break'),
  evidence: optionalKey(failedRunSchema, 'The run in which the tests failed'),
});

const noteSchema = z.object({ text: z.string(), times: z.int() });

const reportSchema: z.ZodType<ClientReport> = z.object({
  format: z.literal('livestream-mock/client-report'),
  version: z.literal(1),
  suite: z.string().describe('The version of the package that ran the tests'),
  tests: z.string().describe('The command line of the tests'),
  startedAt: z.string().describe('ISO 8601'),
  duration: milliseconds,
  runs: z.int().describe('How often the tests were run'),
  interrupted: optionalKey(z.literal(true), 'Present if it was interrupted'),
  verdict: z.enum(clientVerdicts),
  reasons: texts.describe('Why the app does not survive, or why that cannot be decided'),
  unjudgeable: optionalKey(z.string(), 'Why nothing could be said about any variant'),
  plainFailure: optionalKey(failedRunSchema, 'A run with the plain mock in which the tests failed'),
  results: z.array(resultSchema),
  sent: z.object({
    total: z.int().describe('How many requests were seen, without those for media'),
    unused: texts.describe('Stated operations that the tests never used'),
    undescribed: z.array(noteSchema).describe('What was sent, but no clause describes'),
    refused: z.array(noteSchema).describe('Why the plain mock refused requests'),
  }),
  complete: z.literal(true).describe('Always the last key, so a report that was cut off lacks it'),
});
