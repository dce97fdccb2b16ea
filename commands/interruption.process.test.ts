import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveMock, serveProxy } from '../target/servers.test-support.ts';
import { type Finished, runCommandIn } from '../tools/command-line.test-support.ts';
import { type Running, startProcess } from '../tools/process.test-support.ts';
import { temporaryFile, temporaryFolder } from '../tools/temporary.test-support.ts';

const apiKey = 'test-hang-up';

/** A mock that calls `onRequest` on each request, which may return a response. */
async function serveTarget(
  onRequest: (count: number, method: string) => Response | Promise<Response> | undefined,
) {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ method }) =>
    onRequest(proxy.received.length, method),
  );
  const source = ['--control-url', proxy.controlUrl];
  return {
    args: ['--base-url', proxy.baseUrl, ...source, '--api-key', apiKey],
    streams: async () => (await mock.world(apiKey)).streams().length,
  };
}

/** Runs a command, and calls `happen` on its 40th request; also resolves to the number of streams left. */
async function interrupt(
  command: readonly string[],
  happen: (signals: EventEmitter) => void,
): Promise<Finished & { left: number }> {
  const signals = new EventEmitter();
  const { args, streams } = await serveTarget((count) => {
    if (count === 40) happen(signals);
    return undefined;
  });
  const finished = await runCommandIn({ signals }, ...command, ...args);
  return { ...finished, left: await streams() };
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a check with status %i, its report, and nothing left behind',
  async (...row) => {
    const [signal, status] = row;
    const file = temporaryFile('report.json');
    const finished = await interrupt(['check', '--report', file], (signals) => {
      signals.emit(signal, signal);
    });
    expect(finished).toMatchObject({ status, left: 0 });
    expect(finished.stderr).toContain(`${signal}: deleting what was created`);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({ interrupted: true, leftBehind: [] });
  },
);

test.each([['check'], ['learn', '--out', '/dev/null'], ['compare', '--time', '20s']])(
  '%s cleans up after an uncaught error, explains it in a sentence, and ends with 3',
  async (...command) => {
    const { status, stdout, stderr, left } = await interrupt(command, (signals) => {
      signals.emit('uncaughtException', new Error('of a test \u001b[2J'));
    });
    const sentence =
      '\nlivestream-mock: internal error; please report it: of a test \\u001b[2J: deleting what was created; interrupt again to leave it there\n';
    // compare first says how many sessions it makes.
    expect(stderr.slice(-sentence.length)).toBe(sentence);
    expect(stderr).not.toContain('    at ');
    expect(stdout).toMatch(/interrupted/i);
    expect([status, left]).toEqual([3, 0]);
  },
);

test('a process leaves nothing behind when its terminal is closed and nobody reads its output', async () => {
  const temporary = temporaryFolder();
  let command: Running | undefined;
  const { args, streams } = await serveTarget((count) => {
    if (count !== 40) return undefined;
    command?.hangUp();
    command?.kill('SIGHUP');
    return undefined;
  });
  command = startProcess(['check', ...args], { TMPDIR: temporary });
  expect((await command.finished).status).toBe(129);
  expect([await streams(), readdirSync(temporary)]).toEqual([0, []]);
});

test('a second signal ends a check at once, and what it leaves is listed', async () => {
  const signals = new EventEmitter();
  let deletions = 0;
  const { args } = await serveTarget((count, method) => {
    if (count === 40) signals.emit('SIGINT', 'SIGINT');
    if (method !== 'DELETE') return undefined;
    deletions += 1;
    if (deletions === 1) signals.emit('SIGINT', 'SIGINT');
    return new Promise<never>(() => {});
  });
  const file = temporaryFile('report.json');
  const { status, stdout } = await runCommandIn({ signals }, 'check', ...args, '--report', file);
  expect(status).toBe(130);
  const leftBehind: string[] = JSON.parse(readFileSync(file, 'utf8')).leftBehind;
  const named = leftBehind.filter((line) => line.startsWith('stream '));
  expect(named).not.toEqual([]);
  expect(stdout).toContain(named[0]);
});
