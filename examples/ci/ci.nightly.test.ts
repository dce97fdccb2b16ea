import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../tools/command-line.test-support.ts';
import { backends, runScript, useProject } from './ci.test-support.ts';

const project = useProject();

/** A file from this folder, in a project whose backend this command starts on a free port. */
async function adapt(name: string, command: string): Promise<string> {
  const port = String(await freePort());
  const manifest = join(project.folder, 'package.json');
  const start = `${command} --port ${port}`;
  const before = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...before, scripts: { start } }));
  return readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll(/80[89]0/g, port);
}

/** Removes these files from the project, and returns whether each was there. */
function take(names: readonly string[]): boolean[] {
  return names.map((name) => {
    const path = join(project.folder, name);
    const exists = existsSync(path);
    rmSync(path, { force: true });
    return exists;
  });
}

test.each(backends)(
  'a job on GitHub judges a backend $backend: $verdict',
  async ({ options, status, verdict }) => {
    const { steps, env } = parse(
      await adapt('github-actions.yml', `livestream-mock serve ${options}`),
    ).jobs.contract;
    const summary = join(project.folder, 'summary.md');
    const job = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const statuses: number[] = [];
    for (const { run } of steps.filter((step: object) => 'run' in step)) {
      statuses.push((await runScript(run, project.folder, job)).status);
    }
    expect(statuses).toEqual([0, 0, status]);
    expect(readFileSync(summary, 'utf8')).toContain(verdict);
    expect(take(['summary.md', ...steps.at(-1).with.path.trim().split('\n')])).toEqual([
      true,
      true,
      true,
    ]);
  },
);

test.each(backends)(
  'a job on GitLab judges a backend $backend: $verdict',
  async ({ options, status }) => {
    const { script, variables, artifacts } = parse(
      await adapt('gitlab-ci.yml', `livestream-mock serve ${options}`),
    ).contract;
    const { status: ended } = await runScript(script.join('\n'), project.folder, variables);
    expect(ended).toBe(status);
    expect(take([...artifacts.paths, artifacts.reports.junit])).toEqual([true, true]);
  },
);

test('a job on GitHub runs the tests of an app with every legal variant', async () => {
  const manifest = join(project.folder, 'package.json');
  const before = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...before, scripts: { test: 'node tests.mjs' } }));
  writeFileSync(
    join(project.folder, 'tests.mjs'),
    `const { LIVESTREAM_BASE_URL: baseUrl, LIVESTREAM_API_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const init = { method: 'POST', headers, body: JSON.stringify({ name: 'Harbour camera' }) };
const { status } = await fetch(baseUrl + '/stream', init);
if (status !== 201) throw new Error('expected 201, got ' + status);
`,
  );
  const workflow = readFileSync(new URL('github-actions-app.yml', import.meta.url), 'utf8');
  const { steps } = parse(workflow).jobs.app;
  const summary = join(project.folder, 'summary.md');
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const { run } = steps.findLast((step: object) => 'run' in step);
  const { status, printed } = await runScript(run, project.folder, job);
  expect(status, printed).toBe(0);
  expect(readFileSync(summary, 'utf8')).toContain('✅ Survives');
  expect(take(['summary.md', 'tests.mjs', 'app.html', 'app.xml'])).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

/** A repository whose pushes this hook judges, and a new remote. */
function repository(hook: string) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
      cwd: project.folder,
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch', 'main');
  git('init', '--quiet', '--bare', '--initial-branch', 'main', 'remote.git');
  onTestFinished(() => rmSync(join(project.folder, 'remote.git'), { recursive: true }));
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  const path = join(project.folder, '.git/hooks/pre-push');
  writeFileSync(path, hook);
  chmodSync(path, 0o755);
  return {
    push: () => runScript('git push ./remote.git main', project.folder),
    pushed: () => git('--git-dir', 'remote.git', 'branch').trim(),
    origin: `http://127.0.0.1:${/PORT=(\d+)/.exec(hook)?.[1]}`,
  };
}

test.each(backends)(
  'git pushes, or refuses to, with a backend $backend: $verdict',
  async ({ options, status }) => {
    const hook = await adapt('pre-push', `livestream-mock serve ${options}`);
    const { push, pushed, origin } = repository(hook);
    expect((await push()).status).toBe(status);
    expect(pushed()).toBe(status === 0 ? '* main' : '');
    await expect.poll(() => fetch(origin).catch(() => 'ended')).toBe('ended');
  },
);
