import { clientOperationNames } from '../../../interface/operation-names.ts';
import type { PlainResponse } from '../../messages/response.ts';
import type { Effect, RequestFault } from './effect.ts';

/** The connection breaks before the request does anything. */
export type ResetFault = RequestFault<'reset'>;

/** No response: it becomes a `Response.error()`, which each adapter turns into a broken connection. */
export const brokenConnection: PlainResponse = { status: 0, headers: {}, body: null };

export const reset: Effect<ResetFault> = {
  summary: 'The connection breaks before the request does anything.',
  sentence: (_, target) => `Break the connection of ${target}`,
  operations: clientOperationNames,
  fields: {},
  sends: 'reset',
  respond: async () => brokenConnection,
};
