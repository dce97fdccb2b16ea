import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { engines } from '../package.json' with { type: 'json' };
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');
const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
const lines: string[] = parse(workflow).jobs.checks.strategy.matrix.node;

test('the oldest line is the oldest Node that the package accepts', () => {
  expect(engines.node).toBe(`>=${lines[0]}`);
});

test.each(lines)('the packed package works with Node %s', (line) => {
  const folder = temporaryFolder();
  // The npm package `node` contains the program of each version.
  execFileSync('npm', ['install', '--silent', '--prefix', folder, `node@${line}`]);
  const path = join(folder, 'node_modules/node/bin');
  const env = { ...process.env, PATH: `${path}${delimiter}${process.env['PATH']}` };
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, env, encoding: 'utf8' });
  expect(run('node', '--version')).toMatch(new RegExp(`^v${line}(\\.|$)`, 'm'));
  expect(run('npm', 'run', '--silent', 'smoke')).toContain('entries compile');
});
