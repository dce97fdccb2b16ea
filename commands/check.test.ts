import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, startCommand, startServing } from '../tools/command-line.test-support.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the mock is conformant with nothing blocked', async () => {
  const { status, stdout } = await runCommand('check', '--mock');
  expect(stdout).not.toContain('blocked');
  expect(stdout).toMatch(/\nConformant {2}\d+ passed/);
  expect(status).toBe(0);
});

test('a server in another process is conformant through its control API', async () => {
  const server = await startServing('--world', 'empty', '--recording-delay', '10ms');
  onTestFinished(() => server.stop().then(() => {}));
  const { status, stdout } = await runCommand(
    ...['check', '--base-url', server.baseUrl, '--control-url', server.controlUrl],
    ...['--api-key', 'test-check'],
  );
  expect(stdout).toMatch(/\nConformant {2}/);
  expect(status).toBe(0);
});

test('without a recorded session the verdict is incomplete, and says what completes it', async () => {
  const server = await startServing('--world', 'empty');
  onTestFinished(() => server.stop().then(() => {}));
  const target = ['--base-url', server.baseUrl, '--api-key', 'test-check'];
  const { status, stdout } = await runCommand('check', ...target);
  expect(stdout).toMatch(/\nIncomplete {2}/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'add --control-url, --ingest-command or --manual',
  );
  expect(status).toBe(2);
});

test('an ingest command goes live with what its environment tells it', async () => {
  const server = await startServing('--world', 'empty', '--recording-delay', '10ms');
  onTestFinished(() => server.stop().then(() => {}));
  const goLive = `test -s "$MEDIA_FILE" && test -n "$STREAM_KEY" && curl -sf -X POST \
    -H 'authorization: Bearer test-check' -H 'content-type: application/json' \
    -d '{"duration": 8}' ${server.controlUrl}/streams/$STREAM_ID/start`;
  const { status, stdout } = await runCommand(
    ...['check', '--base-url', server.baseUrl, '--api-key', 'test-check'],
    ...['--ingest-command', goLive],
  );
  expect(stdout).toMatch(/\nConformant {2}/);
  expect(status).toBe(0);
});

test('reports are written in every form and can be rendered again', async () => {
  const folder = temporaryFolder();
  const names = ['report.json', 'report.xml', 'report.html', 'report.md', 'badge.svg'];
  const files = names.map((name) => join(folder, name));
  await runCommand('check', '--mock', ...files.flatMap((file) => ['--report', file]));
  expect(readdirSync(folder).sort()).toEqual([...names].sort());

  const [json = '', html = ''] = [files[0], files[2]];
  const again = join(folder, 'again.html');
  expect(await runCommand('render', json, again)).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(html, 'utf8'));
});

test('a target that is not conformant gets no badge, and loses the one it had', async () => {
  const folder = temporaryFolder();
  const badge = join(folder, 'badge.svg');
  writeFileSync(badge, '<svg>old</svg>');
  const server = await startServing('--world', 'empty');
  onTestFinished(() => server.stop().then(() => {}));
  const { stderr } = await runCommand(
    ...['check', '--base-url', server.baseUrl, '--api-key', 'test-check', '--report', badge],
  );
  expect(stderr).toContain(`no badge ${badge}: Incomplete`);
  expect(readdirSync(folder)).toEqual([]);
});

test('a part of the requirements cannot make a target conformant', async () => {
  const { status, stdout } = await runCommand('check', '--mock', '--only', 'RECORD-1');
  expect(stdout).toMatch(
    /\nIncomplete {2}1 passed\n {2}- \d+ binding requirements were not selected/,
  );
  expect(status).toBe(2);
});

test('an unreachable target cannot be judged, which one sentence says', async () => {
  const port = await freePort();
  const target = ['--base-url', `http://127.0.0.1:${port}/api`, '--api-key', 'test-check'];
  const { status, stdout } = await runCommand('check', ...target);
  expect(stdout).toMatch(/ECONNREFUSED/);
  expect(status).toBe(4);
});

test('a target that is starting is waited for', async () => {
  const port = await freePort();
  const target = ['--base-url', `http://127.0.0.1:${port}/api`, '--api-key', 'test-check'];
  const { finished } = startCommand(['check', ...target, '--area', 'create', '--wait-for', '30s']);
  startCommand(['serve', '--port', String(port)]);
  const { status, stdout } = await finished;
  expect(stdout).toMatch(/Conformant in the area create/);
  expect(status).toBe(0);
});

test('areas that need no session are judged without one', async () => {
  const server = await startServing('--world', 'empty');
  onTestFinished(() => server.stop().then(() => {}));
  const target = ['--base-url', server.baseUrl, '--api-key', 'test-check'];
  const areas = ['create', 'record', 'authentication'].flatMap((area) => ['--area', area]);
  const badge = join(temporaryFolder(), 'badge.svg');
  const { status, stdout, stderr } = await runCommand(
    ...['check', ...target, ...areas, '--report', badge],
  );
  expect(stdout).toContain('Conformant in the areas create, record and authentication');
  expect(stderr).toContain('no badge');
  expect(status).toBe(0);
});

test('a wrong key is never conformant, and appears nowhere', async () => {
  const server = await startServing('--api-key', 'right-key');
  onTestFinished(() => server.stop().then(() => {}));
  const target = ['--base-url', server.baseUrl, '--api-key', 'wrong-s3cret'];
  const { status, stdout, stderr } = await runCommand('check', ...target);
  expect(status).toBe(4);
  expect(stdout + stderr).not.toContain('wrong-s3cret');
});

test.each([
  [[], 'target: expected one of --base-url URL and --mock'],
  [['--mock', '--base-url', 'http://a.test'], 'target: expected one of --base-url URL and --mock'],
  [
    ['--base-url', 'http://a.test'],
    'option --api-key: expected a key, or one in the environment variable LIVESTREAM_API_KEY, got none',
  ],
  [
    ['--base-url', 'a.test', '--api-key', 'k'],
    'option --base-url: expected an http or https address without a user name, such as https://example.test/api',
  ],
  [['--mock', '--only', 'NONE-1'], 'option --only: expected ids of requirements, got "NONE-1"'],
  [
    ['--mock', '--only', 'OBSERVE-1', '--level', 'must'],
    'option --only: expected requirements of level must or more binding, got none',
  ],
  [['--mock', '--level', 'all'], 'option --level: expected must or should, got "all"'],
  [
    ['--mock', '--report', 'report.pdf'],
    'report: report.pdf: expected a file name that ends with one of .json, .xml, .html, .md, .svg',
  ],
  [
    ['--base-url', 'http://a.test', '--api-key', 'k', '--manual', '--recorded-stream', 'x'],
    'recorded session: expected one of --recorded-stream, --control-url, --ingest-command and --manual, got more',
  ],
  [['--mock', '--quiet', '--verbose'], 'output: expected one of --quiet and --verbose, got both'],
  [
    ['--mock', '--control-url', 'http://a.test'],
    'recorded session: expected no --control-url beside --mock, which goes live by itself',
  ],
  [
    ['--base-url', 'http://a.test', '--api-key', 'k', '--manual'],
    'option --manual: expected a terminal with a person at it, got input from elsewhere',
  ],
  ...[['--control-url', 'http://a.test'], ['--ingest-command', 'true'], ['--manual']].map(
    (provider): [string[], string] => [
      ['--base-url', 'http://a.test', '--api-key', 'k', '--read-only', ...provider],
      `option --read-only: expected no way to go live beside it, which writes, got ${provider[0]}; give --recorded-stream instead`,
    ],
  ),
  [
    ['--mock', '--area', 'lists'],
    'option --area: expected one of create, record, inheritance, list, authentication, media, observe, got "lists"',
  ],
])('check %j ends with status 3 and says what was expected', async (args, sentence) => {
  expect(await runCommand('check', ...args)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: ${sentence}\n`,
  });
});

test.each([
  ['not JSON', 'expected a JSON file, got text that is not JSON'],
  [
    '{"deviations":[{"requirement":"NONE-1","reason":"r","expires":"2999-01-01"}]}',
    'expected ids of requirements, got "NONE-1"',
  ],
])('the deviations file %j ends with status 3', async (text, sentence) => {
  const file = join(temporaryFolder(), 'deviations.json');
  writeFileSync(file, text);
  const { status, stderr } = await runCommand('check', '--mock', '--deviations', file);
  expect(stderr).toBe(`livestream-mock: option --deviations: ${file}: ${sentence}\n`);
  expect(status).toBe(3);
});

test('a deviation that the target does not have is not passed over', async () => {
  const file = join(temporaryFolder(), 'deviations.json');
  const deviation = { requirement: 'CREATE-1', reason: 'answers 200', expires: '2999-01-01' };
  writeFileSync(file, JSON.stringify({ deviations: [deviation] }));
  const { status, stdout } = await runCommand('check', '--mock', '--deviations', file);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('CREATE-1: a deviation is listed');
  expect(status).toBe(2);
});

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  return port;
}
