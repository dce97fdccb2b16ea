import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, runCommand, startServing } from '../tools/command-line.test-support.ts';
import { serveHostile } from '../tools/hostile-targets.test-support.ts';
import { byNight } from '../tools/nightly.test-support.ts';

function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'learn-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

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
  const [, baseUrl, , controlUrl] = target;
  expect(stdout).toContain(`${first} is written, with `);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `(it reads the key from LIVESTREAM_API_KEY): livestream-mock check --base-url ${baseUrl} --control-url ${controlUrl}`,
  );
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
    const file = temporaryFile('dialect.json');
    writeFileSync(file, JSON.stringify({ dialect: 2, ...parts }));
    const end = await runCommand('learn', ...(await serve()), '--check', file);
    expect(end.stdout).toMatch(says);
    expect(end.status).toBe(status);
  },
  60_000,
);

test('a dialect of the version before is refused in a sentence that names learn', async () => {
  const file = temporaryFile('dialect.json');
  writeFileSync(file, JSON.stringify({ format: 'livestream-mock/dialect', version: 1, rows: {} }));
  const { status, stderr } = await runCommand('learn', ...(await serve()), '--check', file);
  expect(stderr).toMatch(/expected a dialect of version 2.*run `livestream-mock learn` again/);
  expect(status).toBe(3);
});

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

test('nothing is written of a service that fails at random', async () => {
  const { baseUrl, close } = await serveHostile('fails at random');
  onTestFinished(close);
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

test('a control API that is not there ends with status 2, and says what to do', async () => {
  const [, baseUrl = '', , , ...key] = await serve();
  const target = [
    '--base-url',
    baseUrl,
    '--control-url',
    baseUrl.replace('/api', '/nothing'),
    ...key,
  ];
  const { status, stdout } = await runCommand('learn', ...target, '--out', temporaryFile('a.json'));
  expect(stdout).toMatch(
    /^No session could be made, .* got 404\. Check --control-url, or leave it out/,
  );
  expect(status).toBe(2);
});

const nowhere = ['--base-url', 'http://127.0.0.1:9/api', '--api-key', 'a-key'];

test.each([
  { args: [], sentence: 'output: expected one of --out FILE and --check FILE, got neither' },
  { args: ['--out', 'a.json'], sentence: 'target: expected --base-url URL, got none' },
  {
    args: ['--check', 'a.json', '--evidence', 'e.json'],
    sentence: 'option --evidence: expected --out beside it, got --check',
  },
  {
    args: [...['--out', 'a.json', ...nowhere], ...['--other-api-key', 'a-key']],
    sentence:
      'option --other-api-key: expected the key of another account, got the same key as for --api-key',
  },
  {
    args: [...['--out', 'a.json', ...nowhere], '--allow', 'GET'],
    sentence: 'option --allow: expected one of POST, PUT, PATCH, DELETE, got "GET"',
  },
  {
    args: [...['--out', 'a.json', ...nowhere], '--routes', 'none.txt'],
    sentence: 'option --routes: none.txt: the file does not exist',
  },
  {
    args: ['--out', '/nonexistent/a.json'],
    sentence: 'output: /nonexistent/a.json: the folder /nonexistent does not exist; make it first',
  },
])('learn $args ends with status 3 and says what was expected', async ({ args, sentence }) => {
  expect(await runCommand('learn', ...args)).toMatchObject({
    status: 3,
    stderr: `livestream-mock: ${sentence}\n`,
  });
});
