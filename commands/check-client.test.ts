import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientReport } from '../conformance/clients/client-report.ts';
import { freePort, runCommand, runCommandIn } from '../tools/command-line.test-support.ts';
import { temporaryFile, temporaryFolder } from '../tools/temporary.test-support.ts';

/** What every test of an app here begins with: `send` asks the service, and `streams` has the first page of streams. */
const beginning = `
  import assert from 'node:assert/strict';
  import { appendFileSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
  const { LIVESTREAM_BASE_URL: baseUrl, LIVESTREAM_API_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const send = async (path, init) => (await fetch(baseUrl + path, { headers, ...init })).json();
  const post = (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) });
`;

/** The command that runs the tests of an app: a script that ends with status 1 if it throws. */
function testsOf(script: string): string[] {
  return ['--', process.execPath, temporaryFile('tests.mjs', beginning + script)];
}

/** An app that lists its streams, in whatever order. */
const careful = `assert.equal((await send('/stream')).length, 6);`;

/** An app that takes the first stream for the newest. */
const careless = `
  const { id } = await post('/stream', { name: 'newest' });
  const [first] = await send('/stream');
  assert.equal(first.id, id, 'expected the newest stream first');
`;

const orderOnly = ['--only', 'oldest-first'];

test('an app that survives ends with 0, and the headline says what it met', async () => {
  const { status, stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(careful));
  expect(stdout).toMatch(/ran the tests 3 times in /);
  expect(stdout).toContain('Survives 1 of 1 variant that its tests met');
  expect(status).toBe(0);
});

test('what breaks an app is named with its clause, the end of the output, and the line that repeats it', async () => {
  const { status, stdout } = await runCommand(
    'check-client',
    '--world',
    'demo',
    ...orderOnly,
    ...testsOf(careless),
  );
  expect(status).toBe(1);
  expect(stdout).toContain('oldest-first (variant, 4.3): Lists came oldest first.');
  expect(stdout).toContain('expected the newest stream first');
  expect(stdout).toMatch(
    /Run again {2}npx --no-install livestream-mock check-client --world demo --only oldest-first -- \S+node\S* \S+tests\.mjs\n/,
  );
  expect(stdout).toContain('Survives 0 of 1 variant that its tests met');
});

test('without a terminal, as in CI, each run is named in a line of its own when it begins', async () => {
  const { stderr } = await runCommand('check-client', ...orderOnly, ...testsOf(careful));
  expect(stderr).toBe(
    'run 1 (plain): the plain mock\nrun 2 (plain): the plain mock\nrun 3 (try): oldest-first\n',
  );
});

test('the requests of a run that failed are written as an archive beside the first report', async () => {
  const file = temporaryFile('report.json');
  const { stderr } = await runCommand(
    'check-client',
    ...orderOnly,
    '--report',
    file,
    ...testsOf(careless),
  );
  const archive = join(dirname(file), 'report.oldest-first.har');
  expect(stderr).toContain(`\nwrote ${file}\nwrote ${archive}\n`);
  const { log } = JSON.parse(readFileSync(archive, 'utf8'));
  const methods = log.entries.map(({ request }: { request: { method: string } }) => request.method);
  expect(methods).toEqual(['POST', 'GET']);
  const { results } = JSON.parse(readFileSync(file, 'utf8'));
  expect(results).toMatchObject([{ name: 'oldest-first', evidence: { archive, requests: 2 } }]);
});

test('each group that failed has an archive of its own', async () => {
  const folder = temporaryFolder();
  const script = `
    await send('/stream');
    assert((process.env.LIVESTREAM_VARIANT ?? '').split('+').length < 3);
  `;
  const groups = [
    ['refusals-as-problem-json', 'too-many-requests-seconds', 'playlist-addresses-signed'],
    ['refusals-without-body', 'too-many-requests-date', 'media-addresses-end'],
  ];
  const { status } = await runCommand(
    'check-client',
    ...groups.flat().flatMap((name) => ['--only', name]),
    ...['--report', join(folder, 'report.json')],
    ...testsOf(script),
  );
  expect(status).toBe(1);
  const { results } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const archives = results.flatMap(({ kind, evidence }: ClientReport['results'][number]) =>
    kind === 'combination' ? [evidence?.archive] : [],
  );
  expect(new Set(archives).size).toBe(2);
  for (const archive of archives) expect(archive).toMatch(/report\.[a-z-]+-[0-9a-f]{8}\.har$/);
  expect(archives.map((archive: string) => existsSync(archive))).toEqual([true, true]);
});

test.each([
  [
    'do not pass',
    `await send('/stream'); throw new Error('broken anyway');`,
    'failed with status 1',
  ],
  [
    'do not pass twice',
    `await send('/stream'); assert(!existsSync('MARK')); writeFileSync('MARK', '');`,
    'passed the first time, and failed with status 1 the second time',
  ],
  ['send nothing to the mock', `assert(true);`, 'sent no request to the mock'],
])('nothing can be said if the tests %s with the plain mock', async (_, script, reason) => {
  const mark = join(temporaryFolder(), 'mark');
  const tests = testsOf(script.replaceAll('MARK', mark));
  const { status, stdout } = await runCommand('check-client', ...orderOnly, ...tests);
  expect(status).toBe(2);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(reason);
});

test('tests that fail once with a variant are unsteady, and nothing is said about it', async () => {
  const count = join(temporaryFolder(), 'count');
  const script = `
    await send('/stream');
    appendFileSync('${count}', 'x');
    assert.notEqual(readFileSync('${count}', 'utf8').length, 3);
  `;
  const { status, stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(script));
  expect(status).toBe(2);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'With oldest-first, the tests failed, and then they passed when they were run again: they are unsteady.',
  );
});

test('a variant that changed no response is not met, with what a test would have to do', async () => {
  const script = `await post('/stream', { name: 'only created' });`;
  const { status, stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(script));
  expect(status).toBe(2);
  expect(stdout).toMatch(/A test would have to list at least two streams/);
  expect(stdout).toContain('Survives 0 of 0 variants that its tests met; 1 was not met');
});

test('tests that met the mock, but nothing that shows a variant, are not said to leave it out', async () => {
  const script = `await post('/stream', { name: 'only created' });`;
  const { stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(script));
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'oldest-first changed no response: the tests do nothing that shows it.',
  );
});

test('tests whose own mock does not follow the variant are told so, and what to do', async () => {
  const script = `
    const body = { mock: 'own', evidence: { changed: {} }, requests: [{
      number: 1, startedAt: 0, at: 0, operation: 'listStreams',
      request: { method: 'GET', url: 'http://own.test/api/stream', headers: {} },
      response: { status: 200, headers: {} },
    }] };
    await fetch(process.env.LIVESTREAM_EVIDENCE_URL, { method: 'POST', body: JSON.stringify(body) });
  `;
  const { status, stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(script));
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(status).toBe(2);
  expect(text).toContain('No request came to a mock that behaved like this.');
  expect(text).toContain('the tests do not use the variant that LIVESTREAM_VARIANT names');
});

test('what a variant refuses is not noted as a request of the app that was refused', async () => {
  const script = `
    await send('/stream/unknown');
    for (let number = 0; number < 9; number += 1) await fetch(baseUrl + '/stream', { headers });
  `;
  const only = ['--only', 'too-many-requests-seconds'];
  const { stdout } = await runCommand('check-client', ...only, ...testsOf(script));
  expect(stdout).toContain('Survives 1 of 1 variant that its tests met');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Refused by the plain mock - GET \/stream\/\{id\}: 404: [^(]+\(2 times\) Survives/,
  );
});

test('what is known to break an app does not fail, until it no longer breaks it', async () => {
  const known = temporaryFile('known.json', {
    known: [{ variant: 'oldest-first', reason: 'sorted in the next version' }],
  });
  const args = ['check-client', ...orderOnly, '--known', known];
  const expected = await runCommand(...args, ...testsOf(careless));
  expect([expected.status, expected.stdout]).toEqual([
    0,
    expect.stringContaining('1 known to break it'),
  ]);
  const gone = await runCommand(...args, ...testsOf(careful));
  expect(gone.status).toBe(1);
  expect(gone.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'oldest-first is listed as known to break the app, but no longer does; remove the entry',
  );
});

test('what is known to break an app together is tried together, and does not fail', async () => {
  const known = temporaryFile('known.json', {
    known: [{ variant: 'pages-of-one+oldest-first', reason: 'the page is rewritten this year' }],
  });
  const breaks = (...names: string[]) => `
    await send('/stream');
    const variant = process.env.LIVESTREAM_VARIANT ?? '';
    assert(!${JSON.stringify(names)}.every((name) => variant.includes(name)));
  `;
  const only = [...orderOnly, '--only', 'pages-of-one', '--only', 'keys-more'];
  const args = ['check-client', ...only, '--known', known];
  const expected = await runCommand(...args, ...testsOf(breaks('oldest-first', 'pages-of-one')));
  expect(expected.stderr).toContain('(confirm): oldest-first+pages-of-one\n');
  expect(expected.stdout).toContain('Survives 3 of 3 variants that its tests met  ');
  expect([expected.status, expected.stdout]).toEqual([
    0,
    expect.stringContaining('1 known to break it'),
  ]);
  const gone = await runCommand(...args, ...testsOf(`await send('/stream');`));
  expect(gone.status).toBe(1);
  expect(gone.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'oldest-first+pages-of-one is listed as known to break the app, but no longer does',
  );
});

test('a dialect is one more service to survive, reported apart', async () => {
  const dialect = temporaryFile('other.json', {
    dialect: 3,
    name: 'another service',
    behaviours: { 'list.order': { listStreams: 'oldest-first' } },
  });
  const args = ['check-client', '--dialect', dialect, '--only', dialect];
  const broken = await runCommand(...args, ...testsOf(careless));
  expect(broken.status).toBe(1);
  expect(broken.stdout.replaceAll(/\s+/g, ' ')).toContain(
    `${dialect} (dialect): The service behaved as its dialect says: another service.`,
  );
  expect((await runCommand(...args, ...testsOf(careful))).status).toBe(0);
});

test('other mocks of the tests get the dialect of the run, and say what it changed', async () => {
  const dialect = temporaryFile('other.json', { dialect: 3, name: 'another service' });
  const script = `
    await send('/stream');
    const { LIVESTREAM_DIALECT_URL: dialectUrl, LIVESTREAM_EVIDENCE_URL: evidenceUrl } = process.env;
    assert.equal(process.env.OTHER_NAME, dialectUrl ?? '');
    if (dialectUrl !== undefined) {
      assert.equal((await (await fetch(dialectUrl)).json()).name, 'another service');
      const body = { mock: 'own', evidence: { changed: { dialect: 3 } }, requests: [] };
      await fetch(evidenceUrl, { method: 'POST', body: JSON.stringify(body) });
    }
  `;
  const report = temporaryFile('report.json');
  const options = ['--dialect', dialect, '--only', dialect, '--env', 'OTHER_NAME={dialectUrl}'];
  const { status } = await runCommand(
    'check-client',
    ...options,
    '--report',
    report,
    ...testsOf(script),
  );
  expect(status).toBe(0);
  const { results } = JSON.parse(readFileSync(report, 'utf8'));
  expect(results).toMatchObject([{ kind: 'dialect', outcome: 'survived', changed: 3 }]);
});

test('the tests reach the mock by a variable of their own, at a port of its own', async () => {
  const port = await freePort();
  const script = `
    assert.equal(process.env.VITE_API, 'http://127.0.0.1:${port}/api');
    assert.equal(process.env.VITE_VARIANT ?? '', process.env.LIVESTREAM_VARIANT ?? '');
    assert.equal((await send('/stream')).length, 0);
    await post('/stream', { name: 'a' });
    await post('/stream', { name: 'b' });
    assert.equal((await send('/stream')).length, 2);
  `;
  const options = ['--port', String(port), '--world', 'empty', '--env', 'VITE_API={baseUrl}'];
  const { status, stdout } = await runCommand(
    'check-client',
    ...options,
    '--env',
    'VITE_VARIANT={variant}',
    ...orderOnly,
    ...testsOf(script),
  );
  expect(stdout).toContain('Survives 1 of 1 variant');
  expect(status).toBe(0);
});

test('a run that hangs is ended, and counts as failed', async () => {
  const script = `if (process.env.LIVESTREAM_VARIANT) setInterval(() => {}, 1000); await send('/stream');`;
  const { status, stdout } = await runCommand(
    'check-client',
    '--timeout',
    '3s',
    ...orderOnly,
    ...testsOf(script),
  );
  expect(status).toBe(1);
  expect(stdout).toContain('took more than 3000 ms and was ended');
});

// The app may well hang, so that it survives must not be said.
test('a budget that ends a run that hangs leaves the app undecided, and says how long the run took', async () => {
  const script = `
    await send('/stream');
    if (process.env.LIVESTREAM_VARIANT === 'last-seen-first') setInterval(() => {}, 1000);
  `;
  const { status, stdout, stderr } = await runCommand(
    'check-client',
    ...['--budget', '10s', ...orderOnly, '--only', 'last-seen-first', '--only', 'pages-of-one'],
    ...testsOf(script),
  );
  expect(stderr).toMatch(/run 4 \(try\): last-seen-first\n$/);
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('ran the tests 4 times in ');
  expect(text).toContain('Survives 2 of 2 variants that its tests met; 1 was not tried');
  expect(text).toMatch(
    /With last-seen-first, the budget ended the tests after [\d.]+ s; with the plain mock they took [\d.]+ m?s\. They may hang/,
  );
  expect(status).toBe(2);
});

test('a budget that is too short for the tests is said to be', async () => {
  const options = ['--budget', '1ms', ...orderOnly];
  const { status, stdout } = await runCommand('check-client', ...options, ...testsOf(careful));
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Survives 0 of 0 variants .* 1 was not tried .* No variant was tried: give more time with --budget/,
  );
  expect(status).toBe(2);
});

test('what the app sent is noted: what no clause describes, what was refused, what it never used', async () => {
  const script = `
    await send('/stream?limit=3');
    await post('/stream', { name: 'a', profiles: [], isNew: true });
    await fetch(baseUrl + '/stream', { method: 'POST', body: '{"name":"b"}', headers: { authorization: headers.authorization } });
    await fetch(baseUrl + '/user?token=' + key, { headers });
  `;
  const { stdout } = await runCommand('check-client', ...orderOnly, ...testsOf(script));
  const text = stdout.replaceAll(/\s+/g, ' ');
  for (const note of [
    '- PATCH /stream/{id}/record',
    'GET /stream: the query parameter limit (3 times)',
    'POST /stream: the field isNew (3 times)',
    'POST /stream: a body with the content type text/plain;charset=UTF-8 (3 times)',
    'GET /api/user: an API key in the address (3 times)',
    'GET /api/user: no such operation (3 times)',
  ]) {
    expect(text).toContain(note);
  }
});

test('nothing that an app writes is a command to a terminal or to CI, and no key is shown', async () => {
  const script = `
    await send('/stream');
    console.log('\\u001b[2J\\n::error::taken over\\n' + process.env.OTHER_KEY);
    if (process.env.LIVESTREAM_VARIANT) process.exit(1);
  `;
  const options = ['--env', 'OTHER_KEY=top-secret-value', ...orderOnly];
  const env = { LIVESTREAM_API_KEY: 'key-of-the-service' };
  const { stdout } = await runCommandIn({ env }, 'check-client', ...options, ...testsOf(script));
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toMatch(/^\s*::error|top-secret-value|key-of-the-service/m);
  expect(stdout).toContain('\\u001b[2J');
});

test.each([
  ['SKIP_API_KEY_CHECK=1', '1'],
  ['MONKEY_NAME=george the first', 'george the first'],
])('%s is no secret', async (variable, value) => {
  const script = `await send('/stream'); console.log('said ${value}'); process.exit(1);`;
  const options = ['--env', variable, ...orderOnly];
  const { stdout } = await runCommand('check-client', ...options, ...testsOf(script));
  expect(stdout).toContain(`said ${value}`);
  expect(stdout).toContain('failed with status 1');
});

test.each(['SECRET', 'api_token', 'userPassword', 'MY_APIKEY'])(
  'the value of %s is a secret',
  async (name) => {
    const script = `await send('/stream'); console.log(process.env.${name}); process.exit(1);`;
    const options = ['--env', `${name}=top-secret-value`, ...orderOnly];
    const { stdout } = await runCommand('check-client', ...options, ...testsOf(script));
    expect(stdout).toContain('[API key]');
    expect(stdout).not.toContain('top-secret-value');
  },
);

test('tests never get the key of a service', async () => {
  const script = `assert.equal(key, 'test-demo'); await send('/stream');`;
  const env = { LIVESTREAM_API_KEY: 'key-of-the-service' };
  const { status } = await runCommandIn({ env }, 'check-client', ...orderOnly, ...testsOf(script));
  expect(status).toBe(0);
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the tests, with status %i, and leaves no process', async (signal, status) => {
  const folder = temporaryFolder();
  const script = `
    await send('/stream');
    process.on('SIGINT', () => { writeFileSync('${folder}/ended', ''); process.exit(1); });
    writeFileSync('${folder}/started', '');
    setInterval(() => {}, 1000);
  `;
  const signals = new EventEmitter();
  const timer = setInterval(() => {
    if (!existsSync(join(folder, 'started'))) return;
    clearInterval(timer);
    signals.emit(signal, signal);
  }, 10);
  const finished = await runCommandIn({ signals }, 'check-client', ...testsOf(script));
  expect(finished.status).toBe(status);
  expect(finished.stderr).toContain(`${signal}: ending the tests; interrupt again to kill them`);
  expect(readdirSync(folder).sort()).toEqual(['ended', 'started']);
});

test('a second signal kills tests that do not end', async () => {
  const folder = temporaryFolder();
  const script = `
    await send('/stream');
    process.on('SIGINT', () => writeFileSync('${folder}/asked', ''));
    writeFileSync('${folder}/started', '');
    setInterval(() => {}, 1000);
  `;
  const signals = new EventEmitter();
  const awaited = ['started', 'asked'];
  const timer = setInterval(() => {
    if (!existsSync(join(folder, awaited[0] ?? ''))) return;
    awaited.shift();
    if (awaited.length === 0) clearInterval(timer);
    signals.emit('SIGINT', 'SIGINT');
  }, 10);
  const started = performance.now();
  const { status } = await runCommandIn({ signals }, 'check-client', ...testsOf(script));
  expect(status).toBe(130);
  expect(performance.now() - started).toBeLessThan(9_000);
});

test.each([
  [
    ['check-client'],
    'check-client: expected livestream-mock check-client [options] -- COMMAND, got no options',
  ],
  [['check-client', '--port', '0'], 'tests: expected -- and the command that runs them, got none'],
  [
    ['check-client', '--only', 'oldest', '--', 'true'],
    'option --only: expected the name of a variant, perhaps oldest-first, got "oldest"',
  ],
  [
    ['check-client', '--env', 'URL', '--', 'true'],
    'option --env: expected a variable such as NAME={baseUrl}, got another text',
  ],
  [['check-client', '--env', 'URL={url}', '--', 'true'], 'in braces, got {url}'],
  [
    ['check-client', '--report', 'report.svg', '--', 'true'],
    'expected a file name that ends with one of .json, .xml, .html, .md',
  ],
])('the arguments %j are refused', async (args, message) => {
  const { status, stderr } = await runCommand(...args);
  expect(stderr).toContain(message);
  expect(status).toBe(3);
});

test('--help after -- belongs to the tests', async () => {
  const { stdout } = await runCommand('check-client', '--', process.execPath, '--help');
  expect(stdout).toContain('sent no request to the mock');
});
