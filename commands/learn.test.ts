import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  freePort,
  runCommand,
  runCommandIn,
  startServing,
} from '../tools/command-line.test-support.ts';
import { serveHostile } from '../tools/hostile-targets.test-support.ts';
import { byNight } from '../tools/nightly.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

async function serve(): Promise<string[]> {
  const keys = ['test-learn', 'test-somebody'].flatMap((key) => ['--api-key', key]);
  const server = await startServing('--world', 'empty', '--recording-delay', '0', ...keys);
  const { baseUrl, controlUrl } = server;
  return ['--base-url', baseUrl, '--control-url', controlUrl, '--api-key', 'test-learn'];
}

test('a served mock is learned as one file each time, which then has no drift', async () => {
  const target = [...(await serve()), '--other-api-key', 'test-somebody'];
  const first = temporaryFile('first.json');
  const { status, stdout } = await runCommand('learn', ...target, '--out', first);
  expect(stdout).toMatch(/^Observed: (\d+) of \1 cells of refusals, (\d+) of \2 orders/);
  expect(stdout).toContain(`Wrote ${first}: `);
  expect(stdout).not.toMatch(/test-(learn|somebody)/);
  // The line that it ends with runs as it is.
  const [, line = ''] = /\n {2}npx --no-install livestream-mock (.*)\n$/.exec(stdout) ?? [];
  const env = { LIVESTREAM_API_KEY: 'test-learn' };
  const checked = await runCommandIn({ env }, ...line.replaceAll("'", '').split(' '));
  expect(checked).toMatchObject({ status: 0, stderr: '' });
  expect(status).toBe(0);
  for (const again of byNight([temporaryFile('again.json')], [])) {
    await runCommand('learn', ...target, '--out', again);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(first, 'utf8'));
  }
  expect(await runCommand('learn', ...target, '--check', first)).toMatchObject({
    status: 0,
    stdout: 'No behaviour differs.\n',
  });
}, 120_000);

test.each([
  {
    parts: { behaviours: { 'http.etag': 'present' } },
    status: 1,
    says: /behaviours\.http\.etag\n {2}before "present"\n {2}now/,
  },
  {
    parts: {
      refusals: { setRecord: { 'id:other-key': 403 } },
      behaviours: { 'time.ready': 0 },
    },
    status: 2,
    says: /add --other-api-key/,
  },
])(
  'a check of $parts ends with status $status',
  async ({ parts, status, says }) => {
    const file = temporaryFile('dialect.json', { dialect: 2, ...parts });
    const end = await runCommand('learn', ...(await serve()), '--check', file);
    expect(end.stdout).toMatch(says);
    expect(end.status).toBe(status);
  },
  60_000,
);

test('a run that is given less does not replace what a fuller run wrote, unless it is forced', async () => {
  const [, baseUrl = '', , , ...key] = await serve();
  const refusals = {
    '*': { 'id:*': 400 },
    createStream: { 'body:none': 400 },
    setRecord: { 'body:none': 400 },
  };
  const before = JSON.stringify({ dialect: 2, refusals });
  const file = temporaryFile('dialect.json', before);
  const less = ['--base-url', baseUrl, ...key, '--read-only', '--out', file];
  const kept = await runCommand('learn', ...less);
  expect(kept.stdout).toContain(
    `${file} stays as it is: it holds 3 entries, 2 not observed now, 2 of them because they could not be asked`,
  );
  expect(kept.status).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await runCommand('learn', ...less, '--force')).toMatchObject({ status: 0 });
  expect(readFileSync(file, 'utf8')).not.toBe(before);
});

test('nothing is written of a service that fails at random', async () => {
  const { baseUrl } = await serveHostile('fails at random');
  const file = temporaryFile('dialect.json');
  const target = ['--base-url', baseUrl, '--api-key', 'test-learn', '--out', file];
  // It depends on chance whether a stream can be created before.
  expect([2, 4]).toContain((await runCommand('learn', ...target)).status);
  expect(existsSync(file)).toBe(false);
});

test('a service that cannot be reached ends with status 4', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  const target = ['--base-url', baseUrl, '--api-key', 'test-learn', '--out', temporaryFile('a')];
  const { status, stdout } = await runCommand('learn', ...target);
  expect(stdout).toContain('nothing listens there');
  expect(status).toBe(4);
});
