import { expect, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import type { Fault } from '../faults/fault.ts';
import { type DoorName, faultSupport, unableInPlaywright } from './fault-support.ts';
import { faultyDoors } from './faulty-doors.test-support.ts';

const browser = useBrowser();

/** What is the same through every door. */
const everywhere = {
  delay: '200',
  status: '503',
  malformed: '200, no JSON',
};

const faults: readonly Fault[] = [
  { effect: 'delay', delay: 100 },
  { effect: 'status', status: 503 },
  { effect: 'malformed' },
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'drip', bytesPerSecond: 8000 },
];

/** Every door with every fault, and what the table says of the two. */
const cells = (Object.keys(faultSupport) as DoorName[]).flatMap((door) => {
  const said: Partial<Record<string, string>> = { ...everywhere, ...faultSupport[door] };
  return faults.map((fault) => ({ door, fault, effect: fault.effect, said: said[fault.effect] }));
});

test.each(cells.filter(({ said }) => said !== 'refused'))(
  'through $door, $effect is what the table says',
  async ({ door, fault, said }) => {
    const ask = await faultyDoors[door](browser());
    expect(await ask(fault)).toBe(said);
  },
);

test.each(cells.filter(({ said }) => said === 'refused'))(
  'through $door, $effect is refused at once',
  async ({ door, fault, effect }) => {
    const ask = await faultyDoors[door](browser());
    await expect(ask(fault)).rejects.toThrow(
      `effect: expected one that this door can do, got "${effect}"; ${unableInPlaywright[effect]}`,
    );
  },
);
