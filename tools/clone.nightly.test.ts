import { type ExecFileSyncOptions, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from './command-line.test-support.ts';
import { blocksOf, pages } from './docs.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

/** A new user who has a clone, and follows its README. */
const clone = join(temporaryFolder(), 'livestream-mock');

const readme = pages()
  .flatMap(blocksOf)
  .filter(({ page, language }) => page === 'README.md' && language === 'sh')
  .map(({ source }) => source);

/** The shell block of the README that contains this text. */
function block(part: string): string {
  return readme.find((source) => source.includes(part)) ?? expect.fail(`README.md has no ${part}`);
}

function bash(script: string, cwd: string): string {
  // A user does not have the settings of the tests.
  const env = { ...process.env, NODE_ENV: undefined, npm_config_prefer_offline: 'true' };
  const options: ExecFileSyncOptions = { cwd, env, encoding: 'utf8' };
  return String(execFileSync('bash', ['-euc', script], options));
}

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', resolve(import.meta.dirname, '..'), clone]);
  bash('npm ci', clone);
});

test('the first command installs, serves, and says what to open', async () => {
  const port = await freePort();
  expect(block('npm start')).toBe('npm ci && npm start\n');
  const npm = spawn('npm', ['start', '--', '--port', String(port)], { cwd: clone, detached: true });
  onTestFinished(() => {
    if (npm.exitCode === null && npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
  });
  let said = '';
  npm.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said).toContain(`dashboard    http://127.0.0.1:${port}/`);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

test('the quick tests pass in a clone', () => {
  const [command = ''] = block('test:quick').split('#');
  expect(bash(command, clone)).toMatch(/Tests .*passed/);
});

test.each([
  {
    way: 'a tarball',
    install: (project: string) => bash(block('npm pack').replaceAll('~/my-app', project), clone),
  },
  {
    way: 'Git',
    install: (project: string) => {
      writeFileSync(join(project, '.npmrc'), 'allow-git=root\n'); // for npm 12
      bash(`npm install --save-dev git+file://${clone}`, project);
    },
  },
])('$way installs the built package in a project', ({ install }) => {
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  install(project);
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  expect(bash('npx --no-install livestream-mock --version', project)).toBe(`${version}\n`);
  const load =
    'import("livestream-mock").then(({ createMock }) => console.log(createMock().apiKey))';
  expect(bash(`node --eval '${load}'`, project)).toBe('test-demo\n');
});
