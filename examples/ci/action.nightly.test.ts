import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startServing } from '../../tools/command-line.test-support.ts';
import { evaluate, runScript, useProject } from './ci.test-support.ts';

const project = useProject();
const root = resolve(import.meta.dirname, '../..');

test.each([
  { backend: 'that conforms', options: [], status: 0, verdict: '✅ Conformant' },
  {
    backend: 'that breaks a rule',
    options: ['--break', 'record-answers-200'],
    status: 1,
    verdict: '❌ Not conformant',
  },
])('the action judges a backend $backend: $verdict', async ({ options, status, verdict }) => {
  const { baseUrl, controlUrl } = await startServing('--recording-delay', '0', ...options);
  const [check, upload] = parse(readFileSync(join(root, 'action.yml'), 'utf8')).runs.steps;
  const values = {
    'inputs.base-url': baseUrl,
    'inputs.api-key': 'test-action',
    'inputs.options': `--control-url ${controlUrl}`,
    'runner.temp': project.folder,
  };
  const summary = join(project.folder, `summary-${status}.md`);
  const job = { GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: root, GITHUB_STEP_SUMMARY: summary };
  const env = { ...job, ...evaluate(check.env, values) };
  expect((await runScript(check.run, project.folder, env)).status).toBe(status);
  expect(readFileSync(summary, 'utf8')).toContain(verdict);
  const { path } = evaluate({ path: upload.with.path }, values);
  expect(readFileSync(path ?? '', 'utf8')).toMatch(/^<!doctype html>/i);
});
