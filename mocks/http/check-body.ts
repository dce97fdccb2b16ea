import { type Manners, usualManners } from '../../interface/dialect.ts';
import { isBodyOperation } from '../../interface/errors.ts';
import type { Operation } from '../../interface/operations.ts';
import { validate } from '../problems/validate.ts';
import { readFields } from '../service/read-fields.ts';
import { type OperationName, operations } from './routes.ts';

/**
 * The body of a request, which must be one that its operation takes; `undefined` where it takes none. Under
 * a dialect it is what {@link readFields} makes of it.
 * @throws Problem 422, or as the dialect refuses
 */
export function checkBody(name: OperationName, manners: Manners, body: unknown): unknown {
  if (manners !== usualManners && isBodyOperation(name)) return readFields(manners, name, body);
  const { body: schema }: Operation = operations[name];
  return schema && validate(schema, body);
}
