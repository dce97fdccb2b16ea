import { expect, test } from 'vitest';
import { startWaits } from './waits.ts';

const waiting = [{ recordingStatus: 'waiting' }];
const ready = [{ recordingStatus: 'ready' }];

test('what is waited for before anything was awaited in vain gets the whole patience', () => {
  const waits = startWaits(1_000);
  waits.end('listed', waiting);
  expect(waits.longest('listed')).toBe(1_000);
  expect(waits.longest('ready')).toBe(1_000);
});

test('after a wait in vain for any session, waits are short until one is listed', () => {
  const waits = startWaits(1_000);
  waits.end('listed', []);
  expect(waits.longest('listed')).toBe(100);
  expect(waits.longest('ready')).toBe(100);
  waits.end('listed', waiting);
  expect(waits.longest('listed')).toBe(1_000);
  expect(waits.longest('ready')).toBe(1_000);
});

test('after a wait in vain for a ready recording, only waits for that are short, until one is', () => {
  const waits = startWaits(1_000);
  waits.end('ready', waiting);
  expect(waits.longest('listed')).toBe(1_000);
  expect(waits.longest('ready')).toBe(100);
  waits.end('listed', ready);
  expect(waits.longest('ready')).toBe(1_000);
});

test('a wait in vain on a target that has made a recording leaves the patience whole', () => {
  const waits = startWaits(1_000);
  waits.end('ready', ready);
  waits.end('ready', []);
  expect(waits.longest('listed')).toBe(1_000);
  expect(waits.longest('ready')).toBe(1_000);
});
