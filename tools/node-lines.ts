import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '..');
const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');

/** The lines of Node on which everything is tested, such as `24`, from the oldest to the newest. */
export const nodeLines: readonly string[] = parse(workflow).jobs.checks.strategy.matrix.node;

/** Whether a version such as `v24.1.0` belongs to a line of Node. */
export function isOfLine(version: string, line: string): boolean {
  return `${version}.`.startsWith(`v${line}.`);
}

/**
 * Installs the newest version of a line of Node in a folder, from the npm package `node`, which has the program of each
 * version. Returns the environment in which commands use it.
 */
export function installNode(line: string, folder: string): NodeJS.ProcessEnv {
  execFileSync('npm', ['install', '--silent', '--prefix', folder, `node@${line}`]);
  const path = join(folder, 'node_modules/node/bin');
  return { ...process.env, PATH: `${path}${delimiter}${process.env['PATH']}` };
}
