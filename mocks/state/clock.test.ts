import { expect, test } from 'vitest';
import { type AdjustableClock, createClock } from './clock.ts';

function advance(clock: AdjustableClock, milliseconds: number): void {
  clock.set(clock.now() + milliseconds);
}

/** A time source whose alarms are counted, and ring when told to. */
function countedAlarms() {
  const rings = new Set<() => void>();
  const alarm = (_: number, ring: () => void) => {
    rings.add(ring);
    return () => void rings.delete(ring);
  };
  return { rings, source: { now: () => 0, alarm } };
}

test('who waits has one alarm, however often the clock is moved, and none in the end', async () => {
  const { rings, source } = countedAlarms();
  const clock = createClock(source);
  const waiting = clock.waitUntil(1000);
  for (let step = 0; step < 9; step++) advance(clock, 100);
  expect(rings.size).toBe(1);
  advance(clock, 100);
  await waiting;
  expect(rings.size).toBe(0);
});

test('who is called off waits no longer, and leaves no alarm', async () => {
  const { rings, source } = countedAlarms();
  const caller = new AbortController();
  const waiting = createClock(source).waitUntil(1000, caller.signal);
  expect(rings.size).toBe(1);
  caller.abort();
  await waiting;
  expect(rings.size).toBe(0);
});

test('who was called off before does not wait', async () => {
  const { rings, source } = countedAlarms();
  await createClock(source).waitUntil(1000, AbortSignal.abort());
  expect(rings.size).toBe(0);
});

test('who waits when the clock is put back waits for what was left', async () => {
  const clock = createClock({ now: () => 1e12 });
  const events: string[] = [];
  const waiting = clock.waitUntil(clock.now() + 1000).then(() => events.push('over'));
  advance(clock, 400);
  clock.set(5e11);
  advance(clock, 599);
  await Promise.resolve();
  events.push('nearly');
  advance(clock, 1);
  await waiting;
  expect(events).toEqual(['nearly', 'over']);
});
