import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Serving, startServing } from '../../tools/command-line.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

const ownWorkflows = readdirSync(new URL('../../.github/workflows', import.meta.url)).map(
  (name) => `../../.github/workflows/${name}`,
);
const workflows = ['github-actions.yml', 'github-actions-app.yml', ...ownWorkflows];

test.each(workflows)('the workflow %s is valid', (path) => {
  const workflow = read(path);
  expect(validateWorkflow(workflow).errors).toEqual([]);
  expect(validateWorkflow(workflow.replace('runs-on', 'runs')).errors).not.toEqual([]);
});

test.each(workflows)('the workflow %s may only read, but where a job needs more', (path) => {
  const { permissions, jobs } = parse(read(path));
  expect(permissions).toEqual({ contents: 'read' });
  const more = Object.values<{ permissions?: object }>(jobs).flatMap(
    (job) => job.permissions ?? [],
  );
  expect(more).toEqual(
    path.endsWith('/release.yml') ? [{ contents: 'read', 'id-token': 'write' }] : [],
  );
});

test.each([...workflows, '../../action.yml'])(
  '%s names the actions of others by commit, and says which version that is',
  (path) => {
    const uses = read(path).match(/^.*\buses: .*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

test('Dependabot looks at every folder that has dependencies', () => {
  const { updates } = parse(read('../../.github/dependabot.yml'));
  const looks = (ecosystem: string): string[] =>
    updates
      .filter((update: Record<string, unknown>) => update['package-ecosystem'] === ecosystem)
      .flatMap(({ directories }: { directories: string[] }) => directories)
      .toSorted();
  const tracked = execFileSync('git', ['ls-files', '*package.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const folders = tracked
    .trim()
    .split('\n')
    .map((file) => join('/', dirname(file)));
  expect(looks('npm')).toEqual(folders.toSorted());
  expect(looks('github-actions')).toEqual(['/', '/examples/ci']);
  expect(looks('docker')).toEqual(['/']);
});

test('the action is valid', () => {
  const action = read('../../action.yml');
  expect(validateAction(action).errors).toEqual([]);
  expect(validateAction(action.replace('using', 'use')).errors).not.toEqual([]);
});

test('the Dockerfile is valid, and its program is not that of root', () => {
  const dockerfile = read('../../Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  expect(validate(dockerfile.replace('EXPOSE', 'EXPOSES'))).not.toEqual([]);
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
});

/** The exit status of the health check of the image, for a mock that is served elsewhere. */
async function healthOf({ baseUrl }: Serving): Promise<number> {
  const [, command = '[]'] = /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(read('../../Dockerfile')) ?? [];
  const [program = '', ...args]: string[] = JSON.parse(
    command.replace('http://127.0.0.1:4100', new URL(baseUrl).origin),
  );
  const [status] = (await once(spawn(program, args), 'exit')) as [number];
  return status;
}

test('the health check of the image tells whether a mock answers', async () => {
  const server = await startServing();
  expect(await healthOf(server)).toBe(0);
  await server.stop();
  expect(await healthOf(server)).toBe(1);
});

test('the health check of the image tells whether the mock can keep its worlds', async () => {
  const path = temporaryFile('state.jsonl', '');
  const server = await startServing('--data', path);
  expect(await healthOf(server)).toBe(0);
  rmSync(path);
  expect(await healthOf(server)).toBe(1);
});
