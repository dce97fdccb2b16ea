import type * as z from 'zod';
import type { RowId } from '../../../interface/silent.ts';
import { type BodyProblem, Problem } from '../../problems/problem.ts';
import { validate } from '../../problems/validate.ts';

/** A place in a body, and the rows that say how a client is refused for what is there. */
interface Place {
  readonly operation?: string;
  readonly path: RegExp;
  readonly missing?: RowId | BodyProblem;
  readonly wrong: RowId | BodyProblem;
}

const places: readonly Place[] = [
  { path: /^body$/, missing: 'no-body', wrong: 'not-object' },
  {
    operation: 'createStream',
    path: /^name$/,
    missing: 'refusal.missing-name',
    wrong: 'refusal.wrong-name',
  },
  { operation: 'createStream', path: /^record$/, wrong: 'create.wrong-record' },
  { operation: 'createStream', path: /^profiles(\[\d+\])?$/, wrong: 'refusal.wrong-profiles' },
  {
    operation: 'createStream',
    path: /^profiles\[\d+\]\./,
    missing: 'refusal.missing-profile-field',
    wrong: 'refusal.wrong-profile-field',
  },
  {
    operation: 'setRecord',
    path: /^record$/,
    missing: 'refusal.missing-record',
    wrong: 'refusal.wrong-record',
  },
  { operation: 'updateStream', path: /^name$/, wrong: 'refusal.wrong-updated-name' },
];

/**
 * Checks the body of an operation.
 * @throws Problem 422, about the row of its first issue.
 */
export function checkFields(
  schema: z.ZodType,
  body: unknown,
  operation: string | undefined,
): unknown {
  try {
    return validate(schema, body);
  } catch (error) {
    throw error instanceof Problem ? aboutFirstIssue(error, operation) : error;
  }
}

function aboutFirstIssue(problem: Problem, operation: string | undefined): Problem {
  const [issue] = problem.issues;
  const place = places.find(
    ({ operation: only = operation, path }) => only === operation && path.test(problem.path),
  );
  const row = issue?.got === 'nothing' ? (place?.missing ?? place?.wrong) : place?.wrong;
  return row === undefined || problem.row !== undefined ? problem : problem.about(row);
}
