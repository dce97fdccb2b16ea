import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

const { CHROMIUM_PATH } = process.env;

const config: PlaywrightTestConfig = defineConfig({
  fullyParallel: true,
  workers: 2,
  // The repository's settings map the package's name to its sources; the specs use the build.
  tsconfig: './tsconfig.json',
  use: {
    launchOptions: {
      ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
      args: [
        '--no-sandbox',
        '--autoplay-policy=no-user-gesture-required',
        '--use-fake-device-for-media-stream',
      ],
    },
  },
});

// biome-ignore lint/style/noDefaultExport: Playwright reads its settings from the default export
export default config;
