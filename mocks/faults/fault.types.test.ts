import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { compileApp } from '../../tools/compile.test-support.ts';
import { effectNames, effectOf } from './effects.ts';
import { faultSchema } from './schema.ts';

/** The fields that each effect requires. */
const required = effectNames.map((effect) => {
  const { needsDelay, fields } = effectOf({ effect });
  const own = Object.entries(fields).filter(([, field]) => field.initial !== undefined);
  return {
    effect,
    fields: {
      ...(needsDelay && { delay: '1s' }),
      ...Object.fromEntries(own.map(([name, { initial = '' }]) => [name, JSON.parse(initial)])),
    },
  };
});

/** Fields that may stand beside them, if they fit the effect. */
const details: readonly object[] = [
  {},
  ...clientOperationNames.map((operation) => ({ operation })),
  { operation: 'setClock' },
  { delay: '1s' },
  { delay: { from: 1, to: '2s' } },
  { id: 'abc' },
  { times: 2 },
  { probability: 0.5 },
  { status: 500 },
  { body: { code: 7 } },
  { fields: { name: null } },
  { fields: [] },
  { retryAfter: 30 },
  { bytesPerSecond: 1 },
  { segment: 0 },
  { unknown: 1 },
];

const faults = required.flatMap(({ effect, fields }) => [
  ...details.map((detail) => ({ effect, ...fields, ...detail })),
  ...(Object.keys(fields).length > 0 ? [{ effect }] : []),
]);

test('a fault compiles if, and only if, it is accepted', async () => {
  const lines = [
    "declare const world: import('livestream-mock').World;",
    ...faults.map((fault) => `world.addFault(${JSON.stringify(fault)});`),
  ];
  const output = await compileApp(lines.join('\n'));
  const faulty = new Set(
    [...output.matchAll(/^app\.ts\((\d+),/gm)].map(([, line]) => Number(line)),
  );
  const compiled = faults.filter((_, index) => !faulty.has(index + 2));
  expect(compiled).toEqual(faults.filter((fault) => faultSchema.safeParse(fault).success));
});
