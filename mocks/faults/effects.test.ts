import { expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { faultSentence } from './effects.ts';

test.each(
  casesOf(`
{"effect":"delay","delay":{"from":"1s","to":"3s"},"operation":"listSessions","times":2}
  delay 1s to 3s on listSessions, times 2
{"effect":"reset"}
  reset on any request
{"effect":"recording-failed","id":"abc"}
  recording-failed on any recording, id abc
`),
)('%s reads as "%s"', (fault, sentence) => {
  expect(faultSentence(JSON.parse(fault))).toBe(sentence);
});
