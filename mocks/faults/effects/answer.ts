import { clientOperationNames } from '../../../interface/operation-names.ts';
import { respondWith } from './body.ts';
import type { Effect, RequestFault } from './effect.ts';

/**
 * The request does nothing, and gets this response. `body` is JSON unless it is a text; without one, and
 * for a status such as 204, the response has none.
 */
export interface AnswerFault extends RequestFault<'answer'> {
  status: number;
  body?: unknown;
}

export const answer: Effect<AnswerFault> = {
  summary: 'The request does nothing, and gets this response.',
  sentence: ({ status }, target) => `Answer ${target} with ${status}`,
  operations: clientOperationNames,
  fields: {
    status: {
      label: 'Status',
      kind: 'integer',
      what: 'a status',
      from: 200,
      to: 599,
      required: true,
      initial: '200',
      describesEffect: true,
    },
    body: { label: 'Body (JSON or text)', kind: 'json' },
  },
  respond: async ({ status, body }) => respondWith(status, body),
};
