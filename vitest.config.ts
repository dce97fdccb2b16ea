import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', '**/*.nightly.test.ts'],
    globalSetup: 'tools/test-setup.ts',
    // On a busy machine a test takes twenty times as long; the limit only ends one that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A poll waits for what it means; the limit only ends a test that fails.
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: true,
    // By default one core would stay idle.
    maxWorkers: 2,
    retry: 0,
    passWithNoTests: false,
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
