import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freePort, runCommand, startServing } from '../tools/command-line.test-support.ts';
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
  const [, baseUrl] = target;
  expect(stdout).toContain(`Wrote ${first}: `);
  expect(stdout).toContain(`\n  livestream-mock check --base-url '${baseUrl}'\n`);
  expect(stdout).not.toContain('test-somebody');
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

test('a file of which less than half was observed is replaced only where that is forced', async () => {
  const [, baseUrl = '', , , ...key] = await serve();
  const file = temporaryFile('dialect.json');
  const before = JSON.stringify({
    dialect: 2,
    refusals: {
      createStream: { 'body:none': 400 },
      setRecord: { 'body:none': 400, 'id:unknown': 410 },
    },
  });
  writeFileSync(file, before);
  const poor = ['--base-url', baseUrl, ...key, '--read-only', '--out', file];
  const kept = await runCommand('learn', ...poor);
  expect(kept.stdout).toContain(
    `${file} stays as it is: it has 3 entries, of which 0 were observed now`,
  );
  expect(kept.status).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await runCommand('learn', ...poor, '--force')).toMatchObject({ status: 0 });
  expect(readFileSync(file, 'utf8')).not.toBe(before);
});

test('a run that is given less does not replace what a fuller run has written', async () => {
  const [, baseUrl = '', , , ...key] = await serve();
  const file = temporaryFile('dialect.json');
  const less = ['--base-url', baseUrl, ...key, '--read-only', '--out', file];
  await runCommand('learn', ...less);
  const dialect = JSON.parse(readFileSync(file, 'utf8'));
  const fuller = JSON.stringify({ ...dialect, refusals: { setRecord: { 'body:none': 404 } } });
  writeFileSync(file, fuller);
  const { status, stdout } = await runCommand('learn', ...less);
  expect(stdout).toMatch(/stays as it is: it has \d+ (entry|entries), .* and 1 could not be asked/);
  expect(status).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe(fuller);
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
  const target = [
    '--base-url',
    `http://127.0.0.1:${await freePort()}/api`,
    '--api-key',
    'test-learn',
  ];
  const { status, stdout } = await runCommand('learn', ...target, '--out', temporaryFile('a.json'));
  expect(stdout).toContain('nothing listens there');
  expect(status).toBe(4);
});
