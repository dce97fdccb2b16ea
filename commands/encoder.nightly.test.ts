import { expect, test } from 'vitest';
import { runCommand, startServing } from '../tools/command-line.test-support.ts';
import { program } from '../tools/program.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

/** A served mock, and the ffmpeg line that vendors usually show first. */
async function targetWithEncoder(): Promise<string[]> {
  const given = ['--rtmp', '0', '--world', 'empty', '--api-key', 'a-key-of-one'];
  const { baseUrl, rtmp } = await startServing(...given);
  const push = `-re -i "$MEDIA_FILE" -c copy -f flv "${rtmp}/$STREAM_KEY"`;
  const target = ['--base-url', baseUrl, '--api-key', 'a-key-of-one'];
  return [...target, '--ingest-command', `${program('ffmpeg')} ${push}`];
}

test('a served mock to which ffmpeg pushes is conformant', async () => {
  const { status, stdout } = await runCommand('check', ...(await targetWithEncoder()));
  expect(stdout).toMatch(/\nConformant /);
  expect(status).toBe(0);
});

test('learn finds no difference from the mock', async () => {
  const out = ['--out', temporaryFile('dialect.json'), '--force'];
  const { stdout } = await runCommand('learn', ...(await targetWithEncoder()), ...out);
  expect(stdout).toContain(', which has 0 differences from the mock');
});

test('compare finds no difference from the mock', async () => {
  const options = [...(await targetWithEncoder()), '--time', '30s'];
  const { stdout } = await runCommand('compare', ...options);
  const same = /No difference was found between the target and the mock, in \d+ operations/;
  expect(stdout).toMatch(same);
});
