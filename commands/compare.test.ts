import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../mocks/adapters/node/node.ts';
import { createMock } from '../mocks/mock.ts';
import { type Finished, runCommand, startServing } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const dialect = {
  dialect: 3,
  behaviours: { 'response.shows': { deleteStream: 'stream' } },
} as const;

describe('a difference', () => {
  const page = temporaryFile('a.html');
  const data = temporaryFile('a.json');
  let run: Finished;

  beforeAll(async () => {
    const mock = createMock({ dialect, now: Date.now });
    const server = await serve(mock);
    const target = ['--base-url', server.baseUrl, '--api-key', mock.apiKey];
    const reports = ['--report', page, '--report', data];
    run = await runCommand('compare', ...target, '--time', '5s', ...reports);
    return server.close;
  });

  test('is an exit status of 1', () => {
    expect(run.status).toBe(1);
  });

  test('is printed with what each side does', () => {
    expect(run.stdout).toMatch(
      /^differs {2}status: 200 on the target, 204 on the mock; (once|\d+ times), in /m,
    );
  });

  test('is printed with the shortest sequence that shows it', () => {
    expect(run.stdout).toMatch(/createStream 201 → deleteStream 200 \| 204$/m);
  });

  test('is printed with an entry for a file of known differences', () => {
    expect(run.stdout).toMatch(
      /^ +\{"difference":"deleteStream \| status \| 200 ≠ 204",.*"sequence":\d+\}$/m,
    );
  });

  test('is followed by how much was compared', () => {
    expect(run.stdout).toMatch(/ \d+ operations in \d+ sequences, \d+ a second$/m);
  });

  test('is written as HTML', () => {
    expect(readFileSync(page, 'utf8')).toContain('createStream 201');
  });

  test('is written as JSON', () => {
    expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ version: 3, seed: 1 });
  });
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
