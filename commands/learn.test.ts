import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveMock, serveProxy } from '../target/servers.test-support.ts';
import { freePort, runCommand, startServing } from '../tools/command-line.test-support.ts';
import { serveHostile } from '../tools/hostile-targets.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

async function serve(): Promise<string[]> {
  const keys = ['test-learn', 'test-somebody'].flatMap((key) => ['--api-key', key]);
  const server = await startServing('--world', 'empty', '--recording-delay', '0', ...keys);
  const { baseUrl, controlUrl } = server;
  return ['--base-url', baseUrl, '--control-url', controlUrl, '--api-key', 'test-learn'];
}

test('learn writes a file about a served mock, and --check then finds no difference', async () => {
  const target = [...(await serve()), '--other-api-key', 'test-somebody'];
  const first = temporaryFile('first.json');
  const { status, stdout } = await runCommand('learn', ...target, '--out', first);
  expect(stdout).toMatch(/^Observed: (\d+) of \1 cells of errors, (\d+) of \2 orders/);
  expect(stdout).toContain(`Wrote ${first}, which has `);
  expect(stdout).not.toMatch(/test-(learn|somebody)/);
  expect(status).toBe(0);
  expect(await runCommand('learn', ...target, '--check', first)).toMatchObject({
    status: 0,
    stdout: 'Nothing differs.\n',
  });
}, 120_000);

test.each([
  {
    parts: { behaviours: { 'http.etag': 'present' } },
    status: 1,
    says: /behaviours\.http\.etag: .*\n {2}before "present": .*\n {2}now/,
  },
  {
    parts: { errors: { retrieveStream: { id: { 'other-key': 403 } } } },
    status: 2,
    says: /add --other-api-key/,
  },
])('a check of $parts ends with status $status', async ({ parts, status, says }) => {
  const file = temporaryFile('dialect.json', { dialect: 3, ...parts });
  const { baseUrl, apiKey } = await startServing('--world', 'demo');
  const target = ['--base-url', baseUrl, '--api-key', String(apiKey), '--read-only'];
  const end = await runCommand('learn', ...target, '--check', file);
  expect(end.stdout).toMatch(says);
  expect(end.status).toBe(status);
});

test('a check writes what it saw to --evidence', async () => {
  const { baseUrl, apiKey } = await startServing('--world', 'demo');
  const evidence = temporaryFile('evidence.json');
  const target = ['--base-url', baseUrl, '--api-key', String(apiKey), '--read-only'];
  await runCommand('learn', ...target, '--check', 'backend-only', '--evidence', evidence);
  expect(JSON.parse(readFileSync(evidence, 'utf8'))).toMatchObject({
    leftOnService: [],
    'errors.listStreams.key:none': { exchanges: [{ status: 401 }] },
  });
});

test('a file that exists is replaced only with --force', async () => {
  const file = temporaryFile('dialect.json', '{ "dialect": 3 }');
  const [, baseUrl = '', , , ...key] = await serve();
  const learn = ['learn', '--base-url', baseUrl, ...key, '--read-only', '--out', file];
  const kept = await runCommand(...learn);
  expect(kept.stderr).toContain(`option --out: ${file}: the file exists; --force replaces it`);
  expect([kept.status, readFileSync(file, 'utf8')]).toEqual([3, '{ "dialect": 3 }']);
  expect(await runCommand(...learn, '--force')).toMatchObject({ status: 0 });
  expect(readFileSync(file, 'utf8')).toContain('"about": ');
});

test.each(['fails at random', 'closes at random'])('no dialect if the service %s', async (does) => {
  const { baseUrl } = await serveHostile(does);
  const file = temporaryFile('dialect.json');
  const target = ['--base-url', baseUrl, '--api-key', 'test-learn', '--out', file];
  // It depends on chance whether a stream can be created before.
  expect([2, 4]).toContain((await runCommand('learn', ...target)).status);
  expect(existsSync(file)).toBe(false);
});

test('evidence is written even if too little was learned for a dialect', async () => {
  const served = await serveMock();
  let refusals = 0;
  const { baseUrl } = await serveProxy(served, async (request) => {
    const response = await served.mock.fetch(request);
    const isVaried = [400, 404, 422].includes(response.status);
    return isVaried ? new Response('', { status: 430 + (refusals++ % 50) }) : response;
  });
  const out = temporaryFile('dialect.json');
  const evidence = temporaryFile('evidence.json');
  const target = ['--base-url', baseUrl, '--api-key', 'test-learn'];
  const end = await runCommand('learn', ...target, '--out', out, '--evidence', evidence);
  expect(end.stdout).toContain(`${out} was not written: `);
  expect([end.status, existsSync(out)]).toEqual([2, false]);
  expect(JSON.parse(readFileSync(evidence, 'utf8'))).toMatchObject({
    'errors.retrieveStream.id:unknown': { outcome: 'unsteady' },
  });
}, 60_000);

test('a service that cannot be reached ends with status 4', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  const target = ['--base-url', baseUrl, '--api-key', 'test-learn', '--out', temporaryFile('a')];
  const { status, stdout } = await runCommand('learn', ...target);
  expect(stdout).toContain('nothing listens there');
  expect(status).toBe(4);
});
