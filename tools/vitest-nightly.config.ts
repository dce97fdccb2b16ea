/** `npm run nightly` runs the tests that install packages or take minutes. */
import { resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { nightlyFiles } from './test-projects.ts';

const config: ViteUserConfig = {
  test: {
    root: resolve(import.meta.dirname, '..'),
    include: nightlyFiles(),
    provide: { nightly: true },
    globalSetup: ['tools/test-setup.ts', 'tools/launch-browser.ts'],
    reporters: 'verbose',
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    // Some of them rebuild the package, which the others use.
    fileParallelism: false,
    passWithNoTests: false,
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
