import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../tools/command-line.test-support.ts';
import { evaluate, runScript, useProject } from './ci.test-support.ts';

const project = useProject();

/** What the mock serves as the backend of the project, and what becomes of it. */
const backends = [
  { backend: 'that conforms', options: '', status: 0, verdict: '✅ Conformant' },
  {
    backend: 'that breaks a rule',
    options: '--break record-answers-200',
    status: 1,
    verdict: '❌ Not conformant',
  },
] as const;

/** A file of this folder, in a project whose backend starts with these options at a free port. */
async function adapt(name: string, options: string): Promise<string> {
  const port = String(await freePort());
  const manifest = join(project.folder, 'package.json');
  const start = `livestream-mock serve --port ${port} ${options}`;
  const before = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...before, scripts: { start } }));
  return readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('8080', port);
}

/** Whether the project has these files, which are removed. */
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
    const { steps, env } = parse(await adapt('github-actions.yml', options)).jobs.contract;
    const summary = join(project.folder, 'summary.md');
    const job = {
      ...evaluate(env, { 'secrets.LIVESTREAM_API_KEY': 'test-ci' }),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    };
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
    const { script, variables, artifacts } = parse(await adapt('gitlab-ci.yml', options)).contract;
    const env = { ...variables, LIVESTREAM_API_KEY: 'test-ci' };
    expect((await runScript(script.join('\n'), project.folder, env)).status).toBe(status);
    expect(take([...artifacts.paths, artifacts.reports.junit])).toEqual([true, true]);
  },
);

test.each(backends)(
  'git pushes, or refuses to, with a backend $backend: $verdict',
  async ({ options, status }) => {
    const hook = await adapt('pre-push', options);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
        cwd: project.folder,
        encoding: 'utf8',
      });
    git('init', '--quiet', '--initial-branch', 'main');
    git('init', '--quiet', '--bare', '--initial-branch', 'main', 'remote.git');
    git('commit', '--quiet', '--allow-empty', '--message', 'first');
    const path = join(project.folder, '.git/hooks/pre-push');
    writeFileSync(path, hook);
    chmodSync(path, 0o755);

    const { status: pushed } = await runScript('git push ./remote.git main', project.folder);
    expect(pushed).toBe(status);
    expect(git('--git-dir', 'remote.git', 'branch').trim()).toBe(status === 0 ? '* main' : '');
    const [, address = ''] = /BASE_URL=(\S+)/.exec(hook) ?? [];
    await expect.poll(() => fetch(address).catch(() => 'ended')).toBe('ended');
    rmSync(join(project.folder, 'remote.git'), { recursive: true });
  },
);
