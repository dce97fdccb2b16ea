import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort, runCommand, startServing } from '../tools/command-line.test-support.ts';
import { writeDialect } from '../tools/dialect-file.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));
const dialect = { dialect: 2, behaviours: { 'answer.shows': { deleteStream: 'stream' } } } as const;

test('a difference is shown with its entry, and written as HTML and JSON', async () => {
  const { baseUrl, apiKey } = await startServing('--dialect', writeDialect(dialect));
  const [page, data] = [join(folder, 'a.html'), join(folder, 'a.json')];
  const target = ['--base-url', baseUrl, '--api-key', String(apiKey)];
  const reports = ['--report', page, '--report', data];
  const { status, stdout } = await runCommand('compare', ...target, '--time', '5s', ...reports);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^differs {2}status: 200 on the target, 204 on the mock; (once|\d+ times), in /m,
  );
  expect(stdout).toMatch(/createStream 201 → deleteStream 200 \| 204$/m);
  expect(stdout).toMatch(/^ +\{"difference":"status \| 200 ≠ 204",.*"sequence":\d+\}$/m);
  expect(stdout).toMatch(/ \d+ operations in \d+ sequences, \d+ a second$/m);
  expect(readFileSync(page, 'utf8')).toContain('createStream 201');
  expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ version: 2, seed: 1 });
});

test('two services are compared with each other', async () => {
  const [one, other] = [await startServing(), await startServing()];
  const file = join(folder, 'other.json');
  const { baseUrl, controlUrl, apiKey } = other;
  writeFileSync(file, JSON.stringify({ baseUrl, controlUrl, apiKey }));
  const target = ['--base-url', one.baseUrl, '--api-key', String(one.apiKey)];
  const { status, stdout } = await runCommand('compare', ...target, '--with', file, '--time', '2s');
  expect(stdout).toMatch(
    /No difference was found between the target and the second target,\sin \d+\soperations/,
  );
  expect(stdout).toContain(`The second target: ${baseUrl}\n`);
  expect(status).toBe(0);
});

test.each([
  [[], 'option --base-url: expected the base address of a service, got none'],
  [['--base-url', 'http://service.test', '--api-key', 'a', '--report', 'a.pdf'], 'a.pdf'],
  [['--base-url', 'http://service.test', '--api-key', 'a', '--time', '0'], 'option --time'],
  [
    ['--base-url', 'http://service.test', '--api-key', 'a', '--with', 'none.json'],
    'option --with: none.json: the file does not exist',
  ],
])('%j is refused with status 3', async (args, message) => {
  const { status, stderr } = await runCommand('compare', ...args);
  expect([status, stderr]).toEqual([3, expect.stringContaining(message)]);
});

test('a service that cannot be reached ends with status 4', async () => {
  const target = ['--base-url', `http://127.0.0.1:${await freePort()}`, '--api-key', 'a-key'];
  const { status } = await runCommand('compare', ...target);
  expect(status).toBe(4);
});

test('a report that cannot be written is named', async () => {
  const target = ['--base-url', `http://127.0.0.1:${await freePort()}`, '--api-key', 'a-key'];
  const page = join(folder, 'folder.html');
  mkdirSync(page);
  const { status, stderr } = await runCommand('compare', ...target, '--report', page);
  expect(status).toBe(3);
  expect(stderr).toContain(`option --report: cannot write ${page}: `);
});

test.each([
  { second: '{"apiKey":"a"}', says: 'baseUrl: expected a text' },
  { second: '[]', says: 'expected {"baseUrl","controlUrl","apiKey"}, as serve --json prints it' },
  { second: '{"baseUrl":"ftp://a.test","apiKey":"a"}', says: 'baseUrl: expected an http or https' },
])('a second service cannot be $second', async ({ second, says }) => {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, second);
  const target = ['--base-url', 'http://service.test', '--api-key', 'a-key'];
  const { status, stderr } = await runCommand('compare', ...target, '--with', file);
  expect([status, stderr]).toEqual([3, expect.stringContaining(`option --with: ${file}: ${says}`)]);
});

test('a second service that cannot be reached is named with its address and its file', async () => {
  const { baseUrl, apiKey } = await startServing();
  const file = join(folder, 'dead.json');
  const dead = `http://127.0.0.1:${await freePort()}`;
  writeFileSync(file, JSON.stringify({ baseUrl: dead, apiKey: 'a-key' }));
  const target = ['--base-url', baseUrl, '--api-key', String(apiKey)];
  const { status, stdout } = await runCommand('compare', ...target, '--with', file);
  expect(status).toBe(4);
  const words = stdout.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`The second target at ${dead} cannot be judged`);
  expect(words).toContain(`baseUrl in ${file}`);
});
