import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

const { APP_URL: baseURL = 'http://localhost:5173', CHROMIUM_PATH: executablePath } = process.env;

const config: PlaywrightTestConfig = defineConfig({
  testMatch: '*.spec.ts',
  // A service may be slow, and take half a minute until a recording is ready.
  timeout: 300_000,
  outputDir: '../../node_modules/.cache/example-results',
  // Uses the installed library, not the sources that this repository's tsconfig points to.
  tsconfig: './playwright.tsconfig.json',
  use: {
    baseURL,
    launchOptions: {
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      ...(executablePath !== undefined && { executablePath }),
    },
  },
});

// biome-ignore lint/style/noDefaultExport: Playwright reads its settings from the default export
export default config;
