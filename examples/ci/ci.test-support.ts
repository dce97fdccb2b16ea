import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../../tools/temporary.test-support.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What the mock serves as a project's backend, and the expected verdict. */
export const backends = [
  { backend: 'that conforms', options: '', status: 0, verdict: '✅ Conformant' },
  {
    backend: 'that breaks a rule',
    options: '--break record-answers-200',
    status: 1,
    verdict: '❌ Not conformant',
  },
] as const;

/**
 * The folder of a project that has the packed package installed, for the tests of a file. It is a
 * copy of `source`, with what that needs installed, or else empty.
 */
export function useProject(source?: string): { readonly folder: string } {
  const folder = temporaryFolder();
  beforeAll(async () => {
    if (source) cpSync(source, folder, { recursive: true });
    else writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
    const tarball = `./${manifest.name}-${manifest.version}.tgz`;
    await run('npm', ['install', '--save-dev', '--prefer-offline', tarball], { cwd: folder });
  });
  return { folder };
}

/** Variables that a test runner sets, but a user's terminal does not. */
const terminalOfUser = { NODE_ENV: undefined, FORCE_COLOR: undefined, NO_COLOR: '1' };

/**
 * Runs a script in a folder, as a pipeline does; returns its exit status and what it printed. Its background
 * processes end with the test.
 */
export async function runScript(script: string, folder: string, env: NodeJS.ProcessEnv = {}) {
  const log = join(folder, 'log.txt');
  const output = openSync(log, 'w');
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: {
      ...process.env,
      ...terminalOfUser,
      GITHUB_ACTIONS: '',
      npm_config_offline: 'true',
      ...env,
    },
    stdio: ['ignore', output, output],
    detached: true,
  });
  onTestFinished(() => endGroup(child.pid));
  const [status] = (await once(child, 'exit')) as [number];
  return { status, printed: readFileSync(log, 'utf8') };
}

/** Ends a detached process and everything that it started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Everything has already ended.
  }
}

/** Replaces the expressions in a GitHub step with their values. */
export function evaluate(
  env: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
        const value = values[expression];
        if (value === undefined) throw new Error(`No value for ${expression}.`);
        return value;
      }),
    ]),
  );
}
