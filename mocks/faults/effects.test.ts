import { expect, test } from 'vitest';
import { faultSentence } from './effects.ts';
import type { Fault } from './fault.ts';

test.each<[Fault, string]>([
  [
    { effect: 'delay', delay: { from: '1s', to: '3s' }, operation: 'listSessions', times: 2 },
    'delay 1s to 3s on listSessions, times 2',
  ],
  [{ effect: 'reset' }, 'reset on any request'],
  [{ effect: 'recording-failed', id: 'abc' }, 'recording-failed on any recording, id abc'],
])('%o reads as "%s"', (fault, sentence) => {
  expect(faultSentence(fault)).toBe(sentence);
});
