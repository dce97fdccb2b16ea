import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the settings with which Playwright runs the examples in a folder, in a browser that is found. */
export function writePlaywrightSettings(folder: string, browser: string): void {
  const settings = {
    use: { launchOptions: { executablePath: browser, args: ['--no-sandbox'] } },
    outputDir: 'playwright-results',
  };
  writeFileSync(
    join(folder, 'playwright.config.js'),
    `export default ${JSON.stringify(settings)};\n`,
  );
}
