import * as z from 'zod';
import type { ClientOperation } from '../../interface/operation-names.ts';
import { randomStateSchema } from '../../interface/schemas.ts';
import { durationSchema, readDuration } from '../state/duration.ts';
import { effectTargets } from './effects.ts';
import {
  type Delay,
  type EffectName,
  type Fault,
  type FaultReport,
  type FaultsState,
  mostFaults,
} from './fault.ts';

const delayForm =
  'a duration such as 500 (milliseconds) or "2s", or an object with the keys from and to';
const delay = z
  .union([durationSchema, z.strictObject({ from: durationSchema, to: durationSchema })], delayForm)
  .refine((value) => isOrdered(value), 'an object whose from is no more than its to');

const countForm = 'a whole number above 0';
const count = z.int(countForm).min(1, countForm);
const chanceForm = 'a number from 0 to 1';
const chance = z.number(chanceForm).min(0, chanceForm).max(1, chanceForm);
const statusForm = 'a status from 400 to 599';
const waitForm = 'a whole number of seconds from 0 to 86400';
const rateForm = 'a whole number of bytes from 1 to 1000000000';

/** So deep that a state which holds it is not too deep to be imported. */
const deepestBody = 20;
const bodyForm = `JSON of at most ${deepestBody} levels, without a key named __proto__`;

/** What each effect says beside its scope. */
const details = {
  delay: { delay },
  status: {
    status: z.int(statusForm).min(400, statusForm).max(599, statusForm),
    body: z
      .unknown()
      .refine((value) => nestsAtMost(value, deepestBody), bodyForm)
      .optional(),
    retryAfter: z.int(waitForm).min(0, waitForm).max(86_400, waitForm).exactOptional(),
  },
  reset: {},
  truncate: {},
  malformed: {},
  drip: { bytesPerSecond: z.int(rateForm).min(1, rateForm).max(1e9, rateForm) },
  'segment-missing': { segment: z.int('a whole number').min(0, 'a whole number').exactOptional() },
  'playlist-endless': {},
  'recording-failed': {},
  'recording-waiting': {},
} as const satisfies Record<EffectName, z.ZodRawShape>;

function effectSchema(effect: EffectName) {
  const targets = effectTargets[effect];
  const shape = {
    effect: z.literal(effect),
    id: z.string('a string').exactOptional(),
    times: count.exactOptional(),
    probability: chance.exactOptional(),
    ...(targets.length > 0 && {
      operation: z
        .enum(targets as readonly [ClientOperation], `one of ${targets.join(', ')}`)
        .exactOptional(),
      delay: delay.exactOptional(),
    }),
    ...details[effect],
  };
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `no keys but ${keys}` : 'an object'),
  });
}

const effectNames = Object.keys(details) as EffectName[];
const oneEffect = `one of ${effectNames.join(', ')}`;
const [first, ...others] = effectNames.map(effectSchema) as [
  ReturnType<typeof effectSchema>,
  ...ReturnType<typeof effectSchema>[],
];

/** Schema of {@link Fault}. */
export const faultSchema: z.ZodType<Fault> = z.discriminatedUnion('effect', [first, ...others], {
  error: ({ code }) =>
    code === 'invalid_union' ? oneEffect : `an object whose effect is ${oneEffect}`,
}) as unknown as z.ZodType<Fault>;

const matchedForm = 'a whole number, 0 or above';

/** Schema of {@link FaultReport}. */
export const faultReportSchema: z.ZodType<FaultReport> = z.strictObject(
  {
    id: count,
    fault: faultSchema,
    matched: z.int(matchedForm).min(0, matchedForm).describe('How many requests it has met'),
  },
  'an object with the keys id, fault and matched',
);

/** Schema of {@link FaultsState}. */
export const faultsStateSchema: z.ZodType<FaultsState> = z.strictObject(
  {
    reports: z
      .array(faultReportSchema, 'an array of faults')
      .max(mostFaults, `at most ${mostFaults} faults`),
    added: z.int(matchedForm).min(0, matchedForm),
    random: randomStateSchema,
  },
  'an object with the keys reports, added and random',
);

function isOrdered(delay: Delay): boolean {
  if (typeof delay !== 'object') return true;
  return (readDuration(delay.from) ?? 0) <= (readDuration(delay.to) ?? Number.POSITIVE_INFINITY);
}

function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => nestsAtMost(part, levels - 1));
}
