import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { program } from '../../../tools/program.test-support.ts';

const root = new URL('../../..', import.meta.url).pathname;

const body = `
test('has an unmatched fault', async ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
});
test('removes its unmatched fault', async ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
  mock.removeFaults();
});
`;

/** Runs a test runner in a folder; what it prints, and whether it passes. */
async function run(
  command: string,
  options: { readonly folder: string; readonly args: readonly string[]; readonly browser?: string },
): Promise<{ output: string; passed: boolean }> {
  const env = { ...process.env, FORCE_COLOR: '0', CHROMIUM: options.browser };
  const running = promisify(execFile)(join(root, 'node_modules/.bin', command), [...options.args], {
    cwd: options.folder,
    env,
  });
  return running.then(
    ({ stdout }) => ({ output: stdout, passed: true }),
    ({ stdout, stderr }) => ({ output: stdout + stderr, passed: false }),
  );
}

function makeFolder(files: Readonly<Record<string, string>>): string {
  // In the repository, so that the imports of the files are found.
  const folder = mkdtempSync(join(root, 'node_modules/.unmatched-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const message = 'fault 1 (status 503 on createStream) matched no request';

test('a vitest test whose fault has matched no request fails at its end', async () => {
  const folder = makeFolder({
    'package.json': '{"type":"module"}',
    'faulty.test.js': `import { test } from '${root}dist/vitest.js';\n${body}`,
    'vitest.config.js': 'export default { test: { include: ["faulty.test.js"], exclude: [] } };',
  });
  const { output, passed } = await run('vitest', { folder, args: ['run', '--root', folder] });
  expect(passed).toBe(false);
  expect(output).toContain(message);
  expect(output).toMatch(/1 failed.*1 passed/);
});

test('a Playwright test whose fault has matched no request fails at its end', async () => {
  const browser = program('browser');
  const folder = makeFolder({
    'package.json': '{"type":"module"}',
    'faulty.spec.js': `import { test } from '${root}dist/playwright.js';\n${body}`,
    'playwright.config.js':
      "export default { testMatch: '*.spec.js', reporter: 'line', use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } } };",
  });
  const { output, passed } = await run('playwright', { folder, args: ['test'], browser });
  expect(passed).toBe(false);
  expect(output).toContain(message);
  expect(output).toMatch(/1 failed[\s\S]*1 passed/);
});
