import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unknownId } from '../target/requests/well-known.ts';
import { serveHttp } from '../target/servers.test-support.ts';
import {
  runCommand,
  runCommandIn,
  startServing,
  terminal,
} from '../tools/command-line.test-support.ts';
import { temporaryFile, temporaryFolder } from '../tools/temporary.test-support.ts';

test('a write to something that the run did not create is not sent, and counts as a bug of the suite', async () => {
  // The target shows a stream of the run as a session of the stream that the user named.
  let created = 0;
  const { origin, received } = await serveHttp(({ method, url = '' }, out) => {
    const isNew = method === 'POST';
    const body = isNew ? { id: `own-${++created}` } : { id: url.split('/')[2], parentId: 'given' };
    out.writeHead(isNew ? 201 : 200).end(JSON.stringify(body));
  });
  const { status, stderr } = await runCommand(
    ...['check', '--base-url', origin, '--api-key', 'k', '--recorded-stream', 'given'],
    ...['--only', 'RECORD-2'],
  );
  expect(stderr).toBe(
    'livestream-mock: internal error; please report it: PATCH /stream/own-3/record was not sent, as it may change what this run did not create\n',
  );
  expect(status).toBe(3);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    ...['GET /stream', 'GET /session', `GET /stream/${unknownId}`],
    ...['POST /stream', 'POST /stream', 'POST /stream', 'PATCH /stream/own-3/record'],
    ...['DELETE /stream/own-1', 'DELETE /stream/own-2'],
    // Whether they are gone: the first is asked for again, as it is still shown.
    ...['GET /stream/own-1', 'GET /stream/own-1', 'GET /stream/own-2'],
  ]);
});

test('the mock is conformant, and the report is written in every format', async () => {
  const folder = temporaryFolder();
  const names = ['report.json', 'report.xml', 'report.html', 'report.md', 'badge.svg'];
  const files = names.map((name) => join(folder, name));
  const reports = files.flatMap((file) => ['--report', file]);
  const { status, stdout, stderr } = await runCommand('check', '--mock', ...reports);
  expect(stderr).toBe(files.map((file) => `wrote ${file}\n`).join(''));
  expect(stdout).toMatch(/^livestream-mock \S+ judged the mock itself in /);
  expect(stdout).toMatch(
    /\nConformant {2}\d+ passed, 3 noted but not judged, 1 not\s+testable by any request\n {2}- RECORD-17 cannot be tested: /,
  );
  expect(status).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
});

test('the verdict is printed before a report that cannot be written', async () => {
  const report = join(temporaryFolder(), 'folder.json');
  mkdirSync(report);
  const only = ['check', '--mock', '--only', 'RECORD-1'];
  const { status, stdout, stderr } = await runCommand(...only, '--report', report);
  expect(stdout).toContain('Conformant');
  expect([status, stderr]).toEqual([3, expect.stringContaining(`cannot write ${report}: EISDIR`)]);
});

test.each([true, false])(
  'the report has colours only if the terminal shows them: %s',
  async (hasColors) => {
    const stdout = Object.assign(terminal(), { hasColors: () => hasColors });
    const only = ['check', '--mock', '--only', 'RECORD-1'];
    const finished = await runCommandIn({ stdout }, ...only);
    expect(finished.stdout.includes('\u001b[32mConformant')).toBe(hasColors);
  },
);

test('a wrong key is never conformant, and appears nowhere', async () => {
  const server = await startServing('--api-key', 'right-key');
  const target = ['--base-url', server.baseUrl, '--api-key', 'wrong-s3cret'];
  const { status, stdout, stderr } = await runCommand('check', ...target);
  expect(status).toBe(4);
  expect(stdout + stderr).not.toContain('wrong-s3cret');
});

test('a job on GitHub gets its failures as annotations, and the report as its summary', async () => {
  const { baseUrl } = await startServing('--break', 'record-answers-200');
  const summary = temporaryFile('summary.md');
  const target = ['--base-url', baseUrl, '--api-key', 'test-a', '--area', 'record'];
  const check = (env: NodeJS.ProcessEnv) => runCommandIn({ env }, 'check', ...target);
  const inJob = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const { status, stdout } = await check(inJob);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error title=RECORD-1.*expected status 204 and no body, got 200/m);
  expect(readFileSync(summary, 'utf8')).toMatch(/^## ❌ Not conformant in record/);
  expect((await check({ GITHUB_ACTIONS: '' })).stdout).not.toContain('::');
});
