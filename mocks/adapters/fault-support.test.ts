import { expect, test } from 'vitest';
import { effectOf } from '../faults/effects.ts';
import type { Fault } from '../faults/fault.ts';
import { faultSupport, type IntegrationName } from './fault-support.test-support.ts';
import { openWithFaults } from './faulty-integrations.test-support.ts';
import { unableInPlaywright } from './playwright/answer-route.ts';

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
  { effect: 'drip', bytesPerSecond: 4000 },
];

/** What a client gets from a fault, or why the fault is refused. */
function outcomeOf(integration: IntegrationName, { effect }: Fault): string | undefined {
  const { sends } = effectOf({ effect });
  const outcome = sends ? faultSupport[integration][sends] : everywhere[effect];
  if (outcome !== 'refused') return outcome;
  return `effect: expected one that this integration can produce, got "${effect}"; ${unableInPlaywright[effect]}`;
}

const names = Object.keys(faultSupport) as IntegrationName[];

test.each(names)('with %s, a client gets from each effect what the table says', async (name) => {
  const { meetFault } = await openWithFaults(name);
  for (const fault of faults) {
    expect([fault.effect, await meetFault(fault)]).toEqual([fault.effect, outcomeOf(name, fault)]);
  }
});
