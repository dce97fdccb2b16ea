// Not in test:quick: it compares services with the mock.
import { expect, inject, test } from 'vitest';
import { judgeService, serviceNames } from './services.ts';

test.each(serviceNames)(
  'the service "%s" is learned as it was written down, and then imitated',
  async (name) => {
    const { ffmpeg } = inject('programs');
    expect(await judgeService(name, 100, ffmpeg)).toEqual({ deviations: [], differences: [] });
  },
  240_000,
);
