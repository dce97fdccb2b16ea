import type { Operation } from '../../interface/operations.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import { Problem } from '../problems/problem.ts';
import { validate } from '../problems/validate.ts';
import { type OperationName, operations } from './routes.ts';

/**
 * The body of a request, which must be one that its operation takes; `undefined` where it takes none.
 * @throws Problem 422
 */
export function checkBody(name: OperationName, _behaviours: Behaviours, body: unknown): unknown {
  const { body: schema }: Operation = operations[name];
  try {
    return schema && validate(schema, body);
  } catch (error) {
    throw error instanceof Problem ? aboutFirstIssue(error, name) : error;
  }
}

const rows: Readonly<Record<string, RowId>> = {
  'createStream name missing': 'refusal.missing-name',
  'createStream name wrong': 'refusal.wrong-name',
  'createStream profiles wrong': 'refusal.wrong-profiles',
  'createStream profiles[0].width missing': 'refusal.missing-profile-field',
  'createStream profiles[0].width wrong': 'refusal.wrong-profile-field',
  'createStream body missing': 'refusal.no-body.createStream',
  'createStream body wrong': 'refusal.not-object.createStream',
  'setRecord body missing': 'refusal.no-body.setRecord',
  'setRecord body wrong': 'refusal.not-object.setRecord',
  'setRecord record missing': 'refusal.missing-record',
  'setRecord record wrong': 'refusal.wrong-record',
};

function aboutFirstIssue(problem: Problem, name: OperationName): Problem {
  const kind = problem.issues[0]?.got === 'nothing' ? 'missing' : 'wrong';
  const row = rows[`${name} ${problem.path} ${kind}`];
  return row === undefined ? problem : problem.about(row);
}
