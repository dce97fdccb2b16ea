import * as z from 'zod';
import { millisecondsSchema } from '../../fixtures/schema.ts';
import type { QueryParameter } from '../http/operation.ts';
import { clientOperationNames } from '../http/operation-names.ts';
import type { Exchange } from './exchange.ts';

const headers = z.record(z.string(), z.string('a string'), 'an object of texts');
const text = z.string('a string');
const whole = z.int('a whole number');

/** Schema of {@link Exchange}. */
export const exchangeSchema: z.ZodType<Exchange> = strictly({
  number: whole,
  startedAt: millisecondsSchema,
  at: millisecondsSchema,
  operation: z
    .enum(clientOperationNames, `one of ${clientOperationNames.join(', ')}`)
    .exactOptional(),
  fault: whole.exactOptional(),
  request: strictly({ method: text, url: text, headers, body: text.exactOptional() }),
  answer: strictly({ status: whole, headers, body: text.exactOptional() }),
});

function strictly<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `no keys but ${keys}` : `an object with the keys ${keys}`,
  });
}

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
