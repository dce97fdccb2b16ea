import {
  configDefaults,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';

/** What all projects have in common. */
const common: TestProjectInlineConfiguration['test'] = {
  // On a busy machine, a test takes twenty times as long; the limit only ends a test that hangs.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A file can affect the next one, but importing everything again would take minutes.
  isolate: false,
  setupFiles: 'tools/restore-globals.ts',
  // A poll ends as soon as it succeeds; the limit only ends a test that fails.
  expect: { poll: { timeout: 20_000 } },
  retry: 0,
};

/** A project runs the tests whose file names say its name: `*.browser.test.ts`. */
function project(
  name: 'alone' | 'process' | 'browser',
  settings: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { test: { ...common, name, include: [`**/*.${name}.test.ts`], ...settings } };
}

/** All other tests need neither the build nor another program. */
const unit: TestProjectInlineConfiguration = {
  test: {
    ...common,
    name: 'unit',
    pool: 'threads',
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{alone,process,browser,nightly}.test.ts'],
  },
};

const config: ViteUserConfig = {
  test: {
    // One of three is usually waiting for a process, a browser or a timeout.
    maxWorkers: 3,
    passWithNoTests: false,
    projects: [
      unit,
      // Modules that a test replaces would stay replaced in the files after it.
      project('alone', { pool: 'threads', isolate: true }),
      project('process', { globalSetup: 'tools/test-setup.ts' }),
      project('browser', { globalSetup: ['tools/test-setup.ts', 'tools/launch-browser.ts'] }),
    ],
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
