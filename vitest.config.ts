import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import { type ProjectName, testFiles } from './tools/test-projects.ts';

const files = testFiles();

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

function project(
  name: ProjectName,
  settings: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { test: { ...common, name, include: files[name], ...settings } };
}

const config: ViteUserConfig = {
  test: {
    // One of three is usually waiting for a process, a browser or a timeout.
    maxWorkers: 3,
    passWithNoTests: false,
    projects: [
      project('unit', { pool: 'threads' }),
      project('alone', { pool: 'threads', isolate: true }),
      project('process', { globalSetup: 'tools/test-setup.ts' }),
      project('browser', { globalSetup: ['tools/test-setup.ts', 'tools/launch-browser.ts'] }),
    ],
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
