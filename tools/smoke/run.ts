import { spawnSync } from 'node:child_process';
import { basename, resolve } from 'node:path';

/** The folder of this project. */
export const root: string = resolve(import.meta.dirname, '../..');

/**
 * Runs a program to its end; what it printed.
 * @throws Error when it fails, with what it printed.
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  return fail(
    `${basename(command)} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`,
  );
}

/** Ends the check as failed. */
export function fail(message: string): never {
  throw new Error(message);
}

/** Says that a check has passed. */
export function passed(check: string): void {
  process.stdout.write(`ok: ${check}\n`);
}
