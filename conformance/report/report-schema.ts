import * as z from 'zod';
import {
  type Exchange,
  type KnownDeviation,
  outcomes,
  type ProviderName,
  type Report,
  type Result,
  verdicts,
} from '../model/report.ts';
import { areas, type Level } from '../model/requirement.ts';

/** Every message says what is expected; parseReport adds where, and what came instead. */
const text = z.string('a string');
const truth = z.boolean('true or false');
const milliseconds = z
  .number('a number, 0 or above')
  .min(0, 'a number, 0 or above')
  .describe('Milliseconds');
const texts = z.array(text, 'an array of strings');

/** One of the members of a union; the type makes sure that all of them are listed. */
function oneOf<Name extends string>(names: { readonly [Key in Name]: Key }): z.ZodType<Name> {
  return z.enum(names, `one of ${Object.keys(names).join(', ')}`) as z.ZodType<Name>;
}

/** An object that may have further keys, as a later version may add some. */
function having<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.object(shape, `an object with the keys ${Object.keys(shape).join(', ')}`);
}

const basisMessage = 'kind "stated", or kind "derived" with because';
const basisSchema = z.discriminatedUnion(
  'kind',
  [
    having({ kind: z.literal('stated') }),
    having({ kind: z.literal('derived'), because: text.describe('The conclusion') }),
  ],
  basisMessage,
);

const exchangeSchema: z.ZodType<Exchange> = having({
  curl: text.describe('The request as a line for a shell, the API key replaced'),
  status: z.int('a whole number').exactOptional().describe('Absent where no response came'),
  headers: z
    .record(text, text, 'an object of strings')
    .exactOptional()
    .describe('Names in lower case'),
  body: text.exactOptional().describe('Cut off after a few kilobytes'),
  failure: text.exactOptional().describe('Why no response came, or why it is cut short'),
  duration: milliseconds,
});

const deviationSchema: z.ZodType<KnownDeviation> = having({
  reason: text,
  expires: text
    .exactOptional()
    .describe(
      'Last day on which it is accepted, such as 2026-12-31; absent where it does not expire',
    ),
});

const area = z.enum(areas, `one of ${areas.join(', ')}`);

const resultSchema: z.ZodType<Result> = having({
  id: text.describe('Stable, such as RECORD-3'),
  area,
  clause: text.describe('The clause of the interface that says so, such as 4.2 rule 3'),
  level: oneOf<Level>({ must: 'must', should: 'should', observe: 'observe' }),
  statement: text.describe('What a conformant target does'),
  basis: basisSchema,
  outcome: z.enum(outcomes, `one of ${outcomes.join(', ')}`),
  message: text.exactOptional().describe('Why it is not a pass'),
  observations: texts.describe('What was noted about the target, never judged'),
  evidence: z
    .array(exchangeSchema, 'an array of exchanges')
    .describe(
      'The requests and responses behind a result that is not a pass, the decisive one first',
    ),
  deviation: deviationSchema
    .exactOptional()
    .describe('Present where the owner of the target knows of the deviation'),
  duration: milliseconds,
});

/** Schema of {@link Report}. */
export const reportSchema: z.ZodType<Report> = having({
  format: z.literal('livestream-mock/conformance-report', '"livestream-mock/conformance-report"'),
  version: z.literal(1, '1, the one version that this program reads'),
  suite: text.describe('Version of the package that judged'),
  target: text,
  startedAt: text.describe('ISO 8601'),
  duration: milliseconds,
  provider: oneOf<ProviderName>({
    none: 'none',
    given: 'given',
    control: 'control',
    command: 'command',
    manual: 'manual',
  }).describe('Where recorded sessions came from'),
  readOnly: truth,
  areas: z
    .array(area, 'an array of areas')
    .exactOptional()
    .describe('The areas that were judged; absent where all were'),
  unjudgeable: text
    .exactOptional()
    .describe('Why the target could not be judged at all, and what to do'),
  interrupted: z
    .literal(true, 'true, or no such key')
    .exactOptional()
    .describe('Present where the run was interrupted'),
  verdict: z
    .enum(verdicts, `one of ${verdicts.join(', ')}`)
    .describe('Follows from the rest of the report; when a file is read, it is computed anew'),
  reasons: texts.describe('Why the verdict is not conformant, and what would complete it'),
  results: z.array(resultSchema, 'an array of results'),
  leftBehind: texts.describe('What the suite made on the target and could not delete'),
  complete: z
    .literal(true, 'true, the last key of a complete report')
    .describe('Always the last key: a report that was cut off lacks it'),
});
