import { clientOperationNames } from '../../../interface/operation-names.ts';
import { respondWith } from './body.ts';
import type { Effect, RequestFault } from './effect.ts';

/** The request is refused before it does anything. `body` is JSON unless it is a text. */
export interface StatusFault extends RequestFault<'status'> {
  status: number;
  body?: unknown;
  /** Seconds, sent in the header `retry-after`. */
  retryAfter?: number;
}

export const status: Effect<StatusFault> = {
  summary: 'The request is refused before it does anything.',
  sentence: ({ status }, target) => `Refuse ${target} with ${status}`,
  operations: clientOperationNames,
  fields: {
    status: {
      label: 'Status',
      kind: 'integer',
      what: 'a status',
      from: 400,
      to: 599,
      required: true,
      initial: '503',
      describesEffect: true,
    },
    retryAfter: {
      label: 'Retry-After (s)',
      kind: 'integer',
      what: 'a whole number of seconds',
      from: 0,
      to: 86_400,
    },
    body: { label: 'Body (JSON or text)', kind: 'json' },
  },
  async respond({ status, body, retryAfter }) {
    const errors = { errors: [`a fault answers ${status}`] };
    const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
    return respondWith(status, body === undefined ? errors : body, headers);
  },
};
