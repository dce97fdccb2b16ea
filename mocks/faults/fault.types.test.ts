import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { compileApp } from '../../tools/compile.test-support.ts';
import type { EffectName } from './fault.ts';
import { faultSchema } from './schema.ts';

/** What each effect cannot do without. */
const least: Readonly<Record<EffectName, object>> = {
  delay: { delay: '1s' },
  status: { status: 503 },
  reset: {},
  truncate: {},
  malformed: {},
  drip: { bytesPerSecond: 100 },
  'segment-missing': {},
  'playlist-endless': {},
  'recording-failed': {},
  'recording-waiting': {},
};

/** What may stand beside it, if that fits the effect. */
const details: readonly object[] = [
  {},
  ...clientOperationNames.map((operation) => ({ operation })),
  { operation: 'advanceClock' },
  { delay: '1s' },
  { delay: { from: 1, to: '2s' } },
  { id: 'abc' },
  { times: 2 },
  { probability: 0.5 },
  { status: 500 },
  { body: { code: 7 } },
  { retryAfter: 30 },
  { bytesPerSecond: 1 },
  { segment: 0 },
  { unknown: 1 },
];

const faults = Object.entries(least).flatMap(([effect, needed]) => [
  ...details.map((detail) => ({ effect, ...needed, ...detail })),
  ...(Object.keys(needed).length > 0 ? [{ effect }] : []),
]);

test('a fault compiles if, and only if, it is accepted', async () => {
  const lines = [
    "declare const world: import('livestream-mock').World;",
    ...faults.map((fault) => `world.addFault(${JSON.stringify(fault)});`),
  ];
  const said = await compileApp(lines.join('\n'));
  const faulty = new Set([...said.matchAll(/^app\.ts\((\d+),/gm)].map(([, line]) => Number(line)));
  const compiled = faults.filter((_, index) => !faulty.has(index + 2));
  expect(compiled).toEqual(faults.filter((fault) => faultSchema.safeParse(fault).success));
});

test('a fault of recordings with an operation does not compile where it has a name, either', async () => {
  const said = await compileApp(`
    import { createMock } from 'livestream-mock';
    const world = await createMock().world();
    const fault = { effect: 'recording-failed', operation: 'createStream' } as const;
    world.addFault(fault);
  `);
  expect(said.match(/^app\.ts\(\d+/gm)).toEqual(['app.ts(5']);
});
