import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

const { BROWSER_ADDRESS = '' } = process.env;

const config: PlaywrightTestConfig = defineConfig({
  fullyParallel: true,
  workers: 2,
  // A poll waits for what it means, on a busy machine too.
  expect: { timeout: 20_000 },
  // The repository's settings map the package's name to its sources; the specs use the build.
  tsconfig: './tsconfig.json',
  // The browser of all tests: a worker that starts anew after a failure has no browser to launch.
  use: { connectOptions: { wsEndpoint: BROWSER_ADDRESS } },
});

// biome-ignore lint/style/noDefaultExport: Playwright reads its settings from the default export
export default config;
