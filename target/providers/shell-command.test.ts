import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import { runShellCommand, type ShellCommand } from './shell-command.ts';

const usual = {
  environment: process.env,
  limit: 20_000,
  politeSignal: 'SIGINT',
  graceToEnd: 10_000,
  kept: 'both',
  longestTail: 1_000,
} as const satisfies Partial<ShellCommand>;

/** Aborts a signal once a file exists. */
function abortOnce(file: string): AbortSignal {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    controller.abort();
  }, 10);
  return controller.signal;
}

test('both outputs of a command are kept', async () => {
  const command = 'echo fine; echo wrong >&2; exit 2';
  const { failure, output } = await runShellCommand({ ...usual, command });
  expect(failure).toBe('failed with status 2');
  expect(output.trim().split('\n').toSorted()).toEqual(['fine', 'wrong']);
});

test('of a long output, the end is kept', async () => {
  const command = 'echo beginning; echo end';
  expect(await runShellCommand({ ...usual, command, longestTail: 8 })).toEqual({
    output: 'ing\nend\n',
  });
});

test('a command that is asked to end has time to end what it started', async () => {
  const folder = temporaryFolder();
  // The shell is gone at once, its child a moment later.
  const child = `trap 'sleep 0.3; echo cleaned > ${folder}/cleaned; exit' INT; touch ${folder}/ready; while :; do sleep 0.05; done`;
  const command = `bash -c '${child.replaceAll("'", `'\\''`)}'; true`;
  const askSignal = abortOnce(join(folder, 'ready'));
  await runShellCommand({ ...usual, command, askSignal });
  expect(readFileSync(join(folder, 'cleaned'), 'utf8')).toBe('cleaned\n');
});

test('a command that must end at once is killed, whatever it does with a polite signal', async () => {
  const folder = temporaryFolder();
  const command = `trap '' INT TERM; touch ${folder}/ready; while :; do sleep 0.05; done`;
  const asked = new AbortController();
  const killSignal = abortOnce(join(folder, 'ready'));
  killSignal.addEventListener('abort', () => asked.abort());
  const options = { ...usual, command, askSignal: asked.signal, killSignal };
  expect(await runShellCommand(options)).toMatchObject({ failure: 'failed with SIGKILL' });
});

test('a command does not start after it was asked to end', async () => {
  const folder = temporaryFolder();
  const command = `touch ${folder}/started`;
  const { failure } = await runShellCommand({ ...usual, command, askSignal: AbortSignal.abort() });
  expect([failure, existsSync(join(folder, 'started'))]).toEqual([
    'did not start: This operation was aborted',
    false,
  ]);
});
