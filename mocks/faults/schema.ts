import * as z from 'zod';
import { randomStateSchema } from '../../fixtures/random.ts';
import type { ClientOperation } from '../../interface/operation-names.ts';
import { nonNegativeSchema, positiveSchema } from '../../interface/schemas.ts';
import { durationSchema, readDuration } from '../state/duration.ts';
import { type EffectField, effectNames, effectOf } from './effects.ts';
import {
  type Delay,
  type EffectName,
  type Fault,
  type FaultReport,
  type FaultsState,
  maxFaults,
} from './fault.ts';

const delaySchema = z
  .union(
    [durationSchema, z.strictObject({ from: durationSchema, to: durationSchema })],
    'a duration such as 500 (milliseconds) or "2s", or an object with the keys from and to',
  )
  .refine((delay) => isOrdered(delay), 'an object whose from is no more than its to');

const chanceSchema = z.number('a number from 0 to 1').min(0).max(1);

function fieldSchema(field: EffectField): z.ZodType {
  if (field.kind === 'json') return z.unknown().optional();
  if (field.kind === 'object') return z.record(z.string(), z.unknown(), 'an object');
  const { noun, from, to = Number.MAX_SAFE_INTEGER, initial } = field;
  const form = field.to === undefined ? noun : `${noun} from ${from} to ${to}`;
  const integer = z.int(form).min(from).max(to);
  return initial === undefined ? integer.exactOptional() : integer;
}

function effectSchema(name: EffectName) {
  const { operations, needsDelay, fields } = effectOf({ effect: name });
  const schemas = Object.entries(fields).map(([key, field]) => [key, fieldSchema(field)] as const);
  const shape = {
    effect: z.literal(name),
    id: z.string('a string').exactOptional(),
    times: positiveSchema.exactOptional(),
    probability: chanceSchema.exactOptional(),
    ...(operations.length > 0 && {
      operation: z
        .enum(operations as readonly [ClientOperation], `one of ${operations.join(', ')}`)
        .exactOptional(),
      delay: needsDelay ? delaySchema : delaySchema.exactOptional(),
    }),
    ...Object.fromEntries(schemas),
  };
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `known keys (${keys})` : 'an object'),
  });
}

const effectForm = `one of ${effectNames.join(', ')}`;
const effectSchemas = effectNames.map(effectSchema) as [
  ReturnType<typeof effectSchema>,
  ...ReturnType<typeof effectSchema>[],
];

/** Schema of {@link Fault}. */
export const faultSchema: z.ZodType<Fault> = z.discriminatedUnion('effect', effectSchemas, {
  error: ({ code }) =>
    code === 'invalid_union' ? effectForm : `an object whose effect is ${effectForm}`,
}) as unknown as z.ZodType<Fault>;

/** Schema of {@link FaultReport}. */
export const faultReportSchema: z.ZodType<FaultReport> = z.strictObject(
  {
    id: positiveSchema,
    fault: faultSchema,
    matched: nonNegativeSchema.describe('How often it has matched'),
  },
  'an object with the keys id, fault and matched',
);

/** Schema of {@link FaultsState}. */
export const faultsStateSchema: z.ZodType<FaultsState> = z.strictObject(
  {
    reports: z
      .array(faultReportSchema, 'an array of faults')
      .max(maxFaults, `at most ${maxFaults} faults`),
    added: nonNegativeSchema,
    random: randomStateSchema,
  },
  'an object with the keys reports, added and random',
);

function isOrdered(delay: Delay): boolean {
  if (typeof delay !== 'object') return true;
  return (readDuration(delay.from) ?? 0) <= (readDuration(delay.to) ?? Number.POSITIVE_INFINITY);
}
