import { expect, test } from 'vitest';
import { effectOf, type Fault } from '../faults/effects/effects.ts';
import { faultSupport, type IntegrationName, unableInPlaywright } from './fault-support.ts';
import { openWithFault } from './faulty-integrations.test-support.ts';

/** What a client gets in every integration. */
const everywhere: Partial<Record<string, string>> = {
  delay: '200',
  status: '503',
  answer: '202',
  patch: '200',
  malformed: '200, not JSON',
};

const faults: readonly Fault[] = [
  { effect: 'delay', delay: 100 },
  { effect: 'status', status: 503 },
  { effect: 'answer', status: 202, body: [] },
  { effect: 'patch', fields: { name: 'other' } },
  { effect: 'malformed' },
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'drip', bytesPerSecond: 2000 },
];

/** Every integration with every fault, and what the table says a client gets. */
const cells = (Object.keys(faultSupport) as IntegrationName[]).flatMap((integration) =>
  faults.map((fault) => {
    const { sends } = effectOf(fault);
    const outcome = sends ? faultSupport[integration][sends] : everywhere[fault.effect];
    return { integration, fault, effect: fault.effect, outcome };
  }),
);

test.each(cells.filter(({ outcome }) => outcome !== 'refused'))(
  'with $integration, a client gets from $effect: $outcome',
  async ({ integration, fault, outcome }) => {
    const { addFault, listStreams } = await openWithFault(integration);
    await addFault(fault);
    expect(await listStreams()).toBe(outcome);
  },
);

test.each(cells.filter(({ outcome }) => outcome === 'refused'))(
  'with $integration, $effect is refused when it is added',
  async ({ integration, fault, effect }) => {
    const { addFault } = await openWithFault(integration);
    await expect(addFault(fault)).rejects.toThrow(
      `effect: expected one that this integration can produce, got "${effect}"; ${unableInPlaywright[effect]}`,
    );
  },
);
