import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from '../package.json' with { type: 'json' };
import { runCommand, runCommandIn } from '../tools/command-line.test-support.ts';

test('wrong arguments end with status 3, and a sentence says what was expected', async () => {
  const file = 'golden/wrong-arguments.txt';
  const transcript = readFileSync(new URL(file, import.meta.url), 'utf8');
  let said = '';
  for (const [prompt, line = ''] of transcript.matchAll(/^\$ livestream-mock ?(.*)\n/gm)) {
    const { status, stdout, stderr } = await runCommand(...line.split(' ').filter(Boolean));
    expect([line, status, stdout]).toEqual([line, 3, '']);
    said += prompt + stderr;
  }
  await expect(said).toMatchFileSnapshot(file);
});

test('an empty key in the environment counts as no key', async () => {
  const env = { LIVESTREAM_API_KEY: '' };
  const { status, stderr } = await runCommandIn({ env }, 'check', '--base-url', 'http://a.test');
  expect(stderr).toMatch(/option --api-key: expected a key, or one in the .* got none\n$/);
  expect(status).toBe(3);
});

test('--version prints the version', async () => {
  expect(await runCommand('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help explains every option of every command, and each command prints its own part', async () => {
  const { status, stdout } = await runCommand('--help');
  expect(status).toBe(0);
  await expect(stdout).toMatchFileSnapshot('golden/help.txt');
  const parts = stdout.split(/\n(?=livestream-mock )/).slice(1, -2);
  for (const part of parts) {
    const [, command = ''] = /^livestream-mock ([\w-]+)/.exec(part) ?? [];
    expect((await runCommand(command, '--help')).stdout).toBe(`Usage:\n\n${part}`);
  }
});
