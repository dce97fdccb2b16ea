import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { engines } from '../package.json' with { type: 'json' };
import { installNode, isOfLine, nodeLines } from './node-lines.ts';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');

test('the oldest line is the oldest Node that the package accepts', () => {
  expect(engines.node).toBe(`>=${nodeLines[0]}`);
});

test.each(nodeLines)('the packed package works with Node %s', (line) => {
  const env = installNode(line, temporaryFolder());
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, env, encoding: 'utf8' }).trim();
  expect(isOfLine(run('node', '--version'), line)).toBe(true);
  expect(run('npm', 'run', '--silent', 'smoke')).toContain('entries compile');
});
