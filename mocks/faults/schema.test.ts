import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { effectNames, type Fault } from './effects/effects.ts';

const effects = effectNames.join(', ');
const duration =
  'a number of milliseconds, or a text such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days';
const delay = 'a duration such as 500 (milliseconds) or "2s"';

function nested(levels: number): unknown[] {
  return levels === 1 ? [] : [nested(levels - 1)];
}

test.each<{ fault: unknown; issue: string }>([
  { fault: null, issue: `body: expected an object whose effect is one of ${effects}, got null` },
  { fault: {}, issue: `effect: expected one of ${effects}, got nothing` },
  { fault: { effect: 'rest' }, issue: `effect: expected one of ${effects}, got "rest"` },
  {
    fault: { effect: 'delay' },
    issue: `delay: expected ${delay}, or an object with the keys from and to, got nothing`,
  },
  { fault: { effect: 'reset', delay: 'soon' }, issue: `delay: expected ${duration}, got "soon"` },
  { fault: { effect: 'reset', delay: -1 }, issue: `delay: expected ${duration}, got -1` },
  {
    fault: { effect: 'reset', delay: { from: 1 } },
    issue: `delay: expected ${delay}, or an object with the keys from and to, got an object`,
  },
  {
    fault: { effect: 'delay', delay: { from: '3s', to: '1s' } },
    issue: 'delay: expected an object whose from is no more than its to, got an object',
  },
  {
    fault: { effect: 'status', status: 503, body: nested(21) },
    issue:
      'body: expected JSON of at most 20 levels, without a key named __proto__, got an array of 1',
  },
  { fault: { effect: 'status' }, issue: 'status: expected a status from 400 to 599, got nothing' },
  {
    fault: { effect: 'status', status: 200 },
    issue: 'status: expected a status from 400 to 599, got 200',
  },
  {
    fault: { effect: 'status', status: '503' },
    issue: 'status: expected a status from 400 to 599, got "503"',
  },
  {
    fault: { effect: 'status', status: 503, retryAfter: 'soon' },
    issue: 'retryAfter: expected a whole number of seconds from 0 to 86400, got "soon"',
  },
  { fault: { effect: 'reset', times: 0 }, issue: 'times: expected a whole number above 0, got 0' },
  {
    fault: { effect: 'reset', times: 1.5 },
    issue: 'times: expected a whole number above 0, got 1.5',
  },
  {
    fault: { effect: 'reset', probability: 2 },
    issue: 'probability: expected a number from 0 to 1, got 2',
  },
  { fault: { effect: 'reset', id: 7 }, issue: 'id: expected a string, got 7' },
  {
    fault: { effect: 'drip' },
    issue: 'bytesPerSecond: expected a whole number of bytes from 1 to 1000000000, got nothing',
  },
  {
    fault: { effect: 'drip', bytesPerSecond: 0 },
    issue: 'bytesPerSecond: expected a whole number of bytes from 1 to 1000000000, got 0',
  },
  {
    fault: { effect: 'segment-missing', operation: 'listStreams' },
    issue: 'operation: expected one of recordingSegment, liveSegment, got "listStreams"',
  },
  {
    fault: { effect: 'segment-missing', segment: -1 },
    issue: 'segment: expected a whole number, got -1',
  },
  {
    fault: { effect: 'malformed', operation: 'setRecord' },
    issue:
      'operation: expected one of createStream, listStreams, retrieveStream, listSessionsOfStream, listSessions, retrieveSession, retrievePlayback, got "setRecord"',
  },
  {
    fault: { effect: 'reset', status: 503 },
    issue:
      'body: expected no keys but effect, id, times, probability, operation, delay, got "status"',
  },
  {
    fault: { effect: 'recording-failed', delay: 5 },
    issue: 'body: expected no keys but effect, id, times, probability, got "delay"',
  },
])('$fault is refused: $issue', async ({ fault, issue }) => {
  const world = await createMock().world();
  expect(() => world.addFault(fault as Fault)).toThrow(issue);
  expect(world.faults).toEqual([]);
  expect(() => createMock({ faults: [fault as Fault] })).toThrow(
    new RangeError(`faults[0]: ${issue}`),
  );
});
