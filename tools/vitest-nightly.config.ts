/** `npm run nightly` runs the tests that install packages or take minutes. */
import { resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';

/** The tests that are more thorough at night: they use `byNight`. */
export const moreThorough = [
  'commands/serve-data',
  'conformance/mutants/score',
  'conformance/report/hostile-reports',
  'fidelity/compare/compare',
  'fidelity/foreign-writes',
  'mocks/adapters/ingest/hostile-encoders',
  'mocks/adapters/ingest/rtmp.process',
  'mocks/adapters/msw-worker',
  'mocks/dashboard/accessibility',
  'mocks/http/fuzz',
  'mocks/http/live-history',
  'mocks/http/media-routes',
  'mocks/media/mp4',
  'mocks/media/segment',
  'mocks/stores/damage',
  'mocks/stores/kept-world',
  'tools/hostile-targets',
] as const;

const config: ViteUserConfig = {
  test: {
    root: resolve(import.meta.dirname, '..'),
    include: ['**/*.nightly.test.ts', ...moreThorough.map((path) => `${path}.*test.ts`)],
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
