import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startServing } from '../../tools/command-line.test-support.ts';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import { backends, evaluate, runScript } from './ci.test-support.ts';

const root = resolve(import.meta.dirname, '../..');
/** The folder of a job, with the action checked out as a runner does. */
const folder = temporaryFolder();
const checkout = join(folder, 'checkout');
const [build, check, upload] = parse(readFileSync(join(root, 'action.yml'), 'utf8')).runs.steps;

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', root, checkout]);
  const env = { ...process.env, GITHUB_ACTION_PATH: checkout, NODE_ENV: 'production' };
  execFileSync('bash', ['-eo', 'pipefail', '-c', build.run], { cwd: folder, env });
});

test.each(backends)(
  'the action judges a backend $backend: $verdict',
  async ({ options, status, verdict }) => {
    const { baseUrl, controlUrl } = await startServing(
      '--recording-delay',
      '0',
      ...options.split(' ').filter(Boolean),
    );
    const values = {
      'inputs.base-url': baseUrl,
      'inputs.api-key': 'test-action',
      'inputs.options': `--control-url ${controlUrl}`,
      'runner.temp': folder,
    };
    const summary = join(folder, `summary-${status}.md`);
    const job = {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: checkout,
      GITHUB_STEP_SUMMARY: summary,
    };
    const env = { ...job, ...evaluate(check.env, values) };
    expect((await runScript(check.run, folder, env)).status).toBe(status);
    expect(readFileSync(summary, 'utf8')).toContain(verdict);
    const { path } = evaluate({ path: upload.with.path }, values);
    expect(readFileSync(path ?? '', 'utf8')).toMatch(/^<!doctype html>/i);
  },
);
