import { expect, test } from 'vitest';
import { startWaits } from './waits.ts';

const waiting = { recordingStatus: 'waiting' };
const ready = { recordingStatus: 'ready' };

test('a wait that ends in time leaves the patience whole', () => {
  const waits = startWaits(1_000);
  waits.end(true, [waiting]);
  expect(waits.longest()).toBe(1_000);
});

test('after a wait in vain, the next ones are short until a recording is ready', () => {
  const waits = startWaits(1_000);
  waits.end(false, []);
  expect(waits.longest()).toBe(100);
  waits.end(true, [waiting]);
  expect(waits.longest()).toBe(100);
  waits.end(true, [waiting, ready]);
  expect(waits.longest()).toBe(1_000);
});

test('a wait in vain on a target that has made a recording leaves the patience whole', () => {
  const waits = startWaits(1_000);
  waits.end(true, [ready]);
  waits.end(false, []);
  expect(waits.longest()).toBe(1_000);
});
