import { expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { createMock } from '../mock.ts';
import { effectNames } from './effects.ts';
import type { Fault } from './fault.ts';

const effects = effectNames.join(', ');
const duration =
  'a number of milliseconds, or a string such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days';
const delay = 'a duration such as 500 (milliseconds) or "2s"';

test.each(
  casesOf(`
null
  body: expected an object whose effect is one of ${effects}, got null
{}
  effect: expected one of ${effects}, got nothing
{"effect":"rest"}
  effect: expected one of ${effects}, got "rest"
{"effect":"delay"}
  delay: expected ${delay}, or an object with the keys from and to, got nothing
{"effect":"reset","delay":"soon"}
  delay: expected ${duration}, got "soon"
{"effect":"delay","delay":{"from":"3s","to":"1s"}}
  delay: expected an object whose from is no more than its to, got an object
{"effect":"status","status":200}
  status: expected a status from 400 to 599, got 200
{"effect":"status","status":503,"retryAfter":"soon"}
  retryAfter: expected a whole number of seconds from 0 to 86400, got "soon"
{"effect":"reset","times":0}
  times: expected a whole number above 0, got 0
{"effect":"reset","probability":2}
  probability: expected a number from 0 to 1, got 2
{"effect":"reset","id":7}
  id: expected a string, got 7
{"effect":"drip"}
  bytesPerSecond: expected a whole number of bytes from 1 to 1000000000, got nothing
{"effect":"segment-missing","operation":"listStreams"}
  operation: expected one of recordingSegment, liveSegment, got "listStreams"
{"effect":"segment-missing","segment":-1}
  segment: expected a whole number, got -1
{"effect":"malformed","operation":"setRecord"}
  operation: expected one of createStream, listStreams, retrieveStream, listSessionsOfStream, listSessions, retrieveSession, retrievePlayback, got "setRecord"
{"effect":"reset","status":503}
  body: expected known keys (effect, id, times, probability, operation, delay), got "status"
{"effect":"recording-failed","delay":5}
  body: expected known keys (effect, id, times, probability), got "delay"
`),
)('%s is refused: %s', async (given, issue) => {
  const fault: Fault = JSON.parse(given);
  const world = await createMock().world();
  expect(() => world.addFault(fault)).toThrow(issue);
  expect(world.faults).toEqual([]);
  expect(() => createMock({ faults: [fault] })).toThrow(new RangeError(`faults[0]: ${issue}`));
});
