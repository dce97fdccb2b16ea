import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { breakFetch } from '../mutants/catalogue.ts';
import { runAgainst } from '../run-against.test-support.ts';

test.each([
  ['media-playlist-missing', 'MEDIA-1', 'recordingUrl: expected status 200, got 404'],
  ['media-mp4-missing', 'MEDIA-6', 'mp4URL: expected status 200, got 404'],
])('the failure of %s says that the recording should be available', async (mutant, id, mistake) => {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const { results } = await runAgainst(breakFetch(mutant, mock.fetch), { only: [id] });
  expect(results[0]?.message).toBe(`${mistake}, although recordingStatus is "ready"`);
});
