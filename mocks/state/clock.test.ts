import { expect, test } from 'vitest';
import { type AdjustableClock, createClock } from './clock.ts';

function advance(clock: AdjustableClock, milliseconds: number): void {
  clock.set(clock.now() + milliseconds);
}

/** A time source that counts its alarms, and rings when it is told to. */
function countedAlarms() {
  const rings = new Set<() => void>();
  const alarm = (_: number, ring: () => void) => {
    rings.add(ring);
    return () => void rings.delete(ring);
  };
  return { rings, source: { now: () => 0, alarm } };
}

test('a wait has one alarm, however often the clock is moved, and none after its end', async () => {
  const { rings, source } = countedAlarms();
  const clock = createClock(source);
  const waiting = clock.waitUntil(1000);
  for (let step = 0; step < 9; step++) advance(clock, 100);
  expect(rings.size).toBe(1);
  advance(clock, 100);
  await waiting;
  expect(rings.size).toBe(0);
});

test('a cancelled wait ends, and leaves no alarm', async () => {
  const { rings, source } = countedAlarms();
  const requester = new AbortController();
  const waiting = createClock(source).waitUntil(1000, requester.signal);
  expect(rings.size).toBe(1);
  requester.abort();
  await waiting;
  expect(rings.size).toBe(0);
});

test('if the clock is put back, a wait does not become longer', async () => {
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

test('a paused clock stands still, and sets no alarm until it runs again', async () => {
  const { rings, source } = countedAlarms();
  const clock = createClock(source);
  clock.set(500, 0);
  const waiting = clock.waitUntil(1000);
  expect([clock.now(), rings.size]).toEqual([500, 0]);
  clock.set(clock.now(), 1);
  expect(rings.size).toBe(1);
  clock.set(1000);
  await waiting;
});

test('an alarm rings sooner if the clock runs faster', () => {
  const delays: number[] = [];
  const alarm = (milliseconds: number) => {
    delays.push(milliseconds);
    return () => {};
  };
  const clock = createClock({ now: () => 0, alarm });
  clock.set(0, 60);
  void clock.waitUntil(60_000);
  expect(delays).toEqual([1_000]);
});

test('waits end in the order of their moments, one after another', async () => {
  const clock = createClock({ now: () => 0 });
  const events: string[] = [];
  const wait = async (moment: number): Promise<void> => {
    await clock.waitUntil(moment);
    events.push(`${moment} begins`);
    await Promise.resolve();
    events.push(`${moment} ends`);
  };
  const all = [wait(300), wait(100), wait(200)];
  clock.set(1000);
  await Promise.all(all);
  const order = [100, 200, 300].flatMap((moment) => [`${moment} begins`, `${moment} ends`]);
  expect(events).toEqual(order);
});

test('what waits is known by its sentence until its moment comes', async () => {
  const clock = createClock({ now: () => 0 });
  const waiting = clock.waitUntil(1000, undefined, 'A request waits.');
  void clock.waitUntil(2000);
  expect(clock.pending()).toEqual(['A request waits.']);
  advance(clock, 1000);
  await waiting;
  expect(clock.pending()).toEqual([]);
});

test('a clock stands still if it is paused, or follows a time that stands still', () => {
  const { source } = countedAlarms();
  const running = createClock(source);
  expect(running.standsStill()).toBe(false);
  running.set(0, 0);
  expect(running.standsStill()).toBe(true);
  expect(createClock({ now: () => 0 }).standsStill()).toBe(true);
});
