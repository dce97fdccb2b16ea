// Not in test:quick: it compares services with the mock.
import { expect, inject, test } from 'vitest';
import { judgeService, serviceNames } from './services.ts';

test.each(serviceNames)(
  'the service "%s" is learned as it was written down, if it was, and then imitated',
  async (name) => {
    const { ffmpeg } = inject('programs');
    const { deviations = [], differences } = await judgeService(name, 100, ffmpeg);
    expect([...deviations, ...differences]).toEqual([]);
  },
  240_000,
);
