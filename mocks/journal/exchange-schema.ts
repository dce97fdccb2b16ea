import * as z from 'zod';
import { millisecondsSchema } from '../../fixtures/schema.ts';
import type { QueryParameter } from '../http/operation.ts';
import { clientOperationNames } from '../http/operation-names.ts';
import type { Exchange } from './exchange.ts';

const headers = z.record(z.string(), z.string());

/** Schema of {@link Exchange}. */
export const exchangeSchema: z.ZodType<Exchange> = z.strictObject({
  number: z.int(),
  at: millisecondsSchema,
  operation: z.enum(clientOperationNames).exactOptional(),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers,
    body: z.string().exactOptional(),
  }),
  answer: z.strictObject({
    status: z.int(),
    headers,
    body: z.string().exactOptional(),
  }),
});

/** Which exchanges of a journal are wanted. */
export const exchangeQuery: readonly QueryParameter[] = [
  {
    name: 'operation',
    description: 'Only this operation or media route',
    schema: { type: 'string', enum: clientOperationNames },
  },
  {
    name: 'status',
    description: 'Only answers of this status, or of its class such as 4xx',
    schema: { type: 'string', examples: ['404', '4xx'] },
  },
  {
    name: 'media',
    description: '0: without what players fetch',
    schema: { type: 'string', enum: ['0'] },
  },
  {
    name: 'from',
    description: 'Only from the exchange of this number on',
    schema: { type: 'integer' },
  },
  {
    name: 'since',
    description: 'Only from this moment on, in milliseconds since 1970',
    schema: { type: 'integer' },
  },
  {
    name: 'until',
    description: 'Only up to this moment, in milliseconds since 1970',
    schema: { type: 'integer' },
  },
];
