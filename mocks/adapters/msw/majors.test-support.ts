import { byNight } from '../../../tools/nightly.test-support.ts';
import type { MswPackage } from '../../../tools/web-app.test-support.ts';

/**
 * The majors of MSW, by what they are called and by where they are installed. By day, the bytes that both
 * answer in a browser and a recipe are compared for MSW 3.
 */
export const mswMajors: readonly (readonly [name: string, msw: MswPackage])[] = byNight(
  [
    ['MSW 2', 'msw'],
    ['MSW 3', 'msw-next'],
  ],
  [['MSW 2', 'msw']],
);
