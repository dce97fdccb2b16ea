/**
 * Runs the unit tests of what meets Node itself on its newest line, unless this is it: they find what differs between
 * versions. The workflow runs everything on every line.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode, isOfLine, nodeLines } from './node-lines.ts';

const newest = nodeLines.at(-1) ?? '';

/** Rooms that depend on Node's HTTP, files, streams and error messages; the others only compute. */
const rooms = ['commands/', 'mocks/', 'target/', 'text/'];

function testOn(line: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-node-'));
  try {
    const env = installNode(line, folder);
    const version = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
    if (!isOfLine(version, line)) throw new Error(`expected Node ${line}, got ${version}`);
    process.stdout.write(`Node ${version}\n`);
    const args = ['vitest', 'run', '--project', 'unit', '--project', 'alone', ...rooms];
    return spawnSync('npx', args, { env, stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isOfLine(process.version, newest)) process.stdout.write(`This is Node ${process.version}.\n`);
else process.exitCode = testOn(newest);
