import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand, startServing } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const dialect = {
  dialect: 3,
  behaviours: { 'response.shows': { deleteStream: 'stream' } },
} as const;

test('a difference is shown with its entry, and written as HTML and JSON', async () => {
  const { baseUrl, apiKey } = await startServing(
    '--dialect',
    temporaryFile('dialect.json', dialect),
  );
  const page = temporaryFile('a.html');
  const data = temporaryFile('a.json');
  const target = ['--base-url', baseUrl, '--api-key', String(apiKey)];
  const reports = ['--report', page, '--report', data];
  const { status, stdout } = await runCommand('compare', ...target, '--time', '5s', ...reports);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^differs {2}status: 200 on the target, 204 on the mock; (once|\d+ times), in /m,
  );
  expect(stdout).toMatch(/createStream 201 → deleteStream 200 \| 204$/m);
  expect(stdout).toMatch(
    /^ +\{"difference":"deleteStream \| status \| 200 ≠ 204",.*"sequence":\d+\}$/m,
  );
  expect(stdout).toMatch(/ \d+ operations in \d+ sequences, \d+ a second$/m);
  expect(readFileSync(page, 'utf8')).toContain('createStream 201');
  expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ version: 3, seed: 1 });
});

test('two services are compared with each other', async () => {
  const one = await startServing();
  const other = await startServing();
  const { baseUrl, controlUrl, apiKey } = other;
  const file = temporaryFile('other.json', { baseUrl, controlUrl, apiKey });
  const target = ['--base-url', one.baseUrl, '--api-key', String(one.apiKey)];
  const { status, stdout } = await runCommand('compare', ...target, '--with', file, '--time', '2s');
  expect(stdout).toMatch(
    /No difference was found between the target and the second target,\sin \d+\soperations/,
  );
  expect(stdout).toContain(`The second target: ${baseUrl}\n`);
  expect(status).toBe(0);
});

test('a file that names no second service is refused', async () => {
  const file = temporaryFile('wrong.json', '{"apiKey":"a"}');
  const target = ['--base-url', 'http://service.test', '--api-key', 'a-key'];
  const { status, stderr } = await runCommand('compare', ...target, '--with', file);
  const says = `option --with: ${file}: baseUrl: expected a string`;
  expect([status, stderr]).toEqual([3, expect.stringContaining(says)]);
});
