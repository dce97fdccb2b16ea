import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { program } from './program.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

/** Milliseconds. Specs play media in real time, which takes minutes on a busy machine. */
const longestRun = 240_000;
const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** The result of a test in a Playwright run. */
export interface SpecResult {
  /** The name of its file. */
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
  /** Which of the parallel workers ran it. */
  readonly worker: number;
  readonly message: string;
}

/** The parts of Playwright's report that are read. */
interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly parallelIndex: number; readonly errors: Errors }[];
    }[];
  }[];
}

type Errors = readonly { readonly message?: string }[];

/** Options of a Playwright run. */
export interface PlaywrightRun {
  /** Environment variables, in addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where tests write files; by default a folder that is deleted with the test. */
  readonly output?: string;
}

/**
 * Runs Playwright's test runner on the specs in a folder, in the browser that the tests share. Its settings find
 * the browser's path in `CHROMIUM_PATH`.
 * @throws Error if the runner could not run them.
 */
export async function runPlaywright(
  folder: string,
  { env = {}, output = temporaryFolder() }: PlaywrightRun = {},
): Promise<SpecResult[]> {
  const options = ['--config', folder, '--reporter', 'json', '--output', output];
  const child = spawn(process.execPath, [cli, 'test', ...options], {
    env: { ...process.env, ...env, CHROMIUM_PATH: program('browser') },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: longestRun,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await once(child, 'close');
  const report: { suites: readonly Suite[]; errors: Errors } = JSON.parse(said);
  const { suites, errors } = report;
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return suites.flatMap(resultsOf);
}

function resultsOf({ specs, suites = [] }: Suite): SpecResult[] {
  const own = specs.map(({ file, title, ok, tests }) => {
    const result = tests.flatMap(({ results }) => results).at(-1);
    return {
      file: basename(file),
      title,
      passed: ok,
      worker: result?.parallelIndex ?? -1,
      message: result?.errors.map(({ message }) => message).join('\n') ?? '',
    };
  });
  return [...own, ...suites.flatMap(resultsOf)];
}

/** Writes the settings with which Playwright runs the examples in a folder, in the given browser. */
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
