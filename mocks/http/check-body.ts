import type * as z from 'zod';
import type { Operation } from '../../interface/operations.ts';
import { recordAloneSchema, recordSwitchSchema } from '../../interface/schemas.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import { validate } from '../problems/validate.ts';
import { creationSchema, rowOfCreation } from '../service/new-stream.ts';
import { rowOfUpdate, updateSchema } from '../service/stream-update.ts';
import { type OperationName, operations } from './routes.ts';

/** What behaviours decide about the body of an operation. */
interface BodyRule {
  readonly schema: (behaviours: Behaviours) => z.ZodType;
  readonly rowOf: (issue: z.core.$ZodIssue, behaviours: Behaviours) => RowId;
}

const bodyRules: Partial<Record<OperationName, BodyRule>> = {
  createStream: { schema: creationSchema, rowOf: rowOfCreation },
  updateStream: { schema: updateSchema, rowOf: rowOfUpdate },
  setRecord: { schema: switchSchema, rowOf: rowOfSwitch },
};

/**
 * The body of a request, which must be one that its operation takes; `undefined` where it takes none.
 * @throws Problem 422
 */
export function checkBody(name: OperationName, behaviours: Behaviours, body: unknown): unknown {
  const rule = bodyRules[name];
  if (rule !== undefined) {
    return validate(rule.schema(behaviours), body, (issue) => rule.rowOf(issue, behaviours));
  }
  const { body: schema }: Operation = operations[name];
  return schema && validate(schema, body);
}

/** Schema of the body that switches recording. */
function switchSchema(behaviours: Behaviours): z.ZodType {
  return behaviours['refusal.unknown-switch-field'] === 'dropped'
    ? recordSwitchSchema
    : recordAloneSchema;
}

function rowOfSwitch({ path, input, code }: z.core.$ZodIssue): RowId {
  if (path.length > 0) {
    if (input === null) return 'refusal.null-record';
    return input === undefined ? 'refusal.missing-record' : 'refusal.wrong-record';
  }
  if (code === 'unrecognized_keys') return 'refusal.unknown-switch-field';
  return `refusal.${input === undefined ? 'no-body' : 'not-object'}.setRecord`;
}
