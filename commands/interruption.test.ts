import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveMock, serveProxy, type TestServer } from '../conformance/servers.test-support.ts';
import { type Running, startProcess } from '../tools/process.test-support.ts';
import { temporaryFile, temporaryFolder } from '../tools/temporary.test-support.ts';

const apiKey = 'test-hang-up';

interface RunningCheck {
  readonly command: Running;
  readonly proxy: TestServer;
  readonly report: () => { interrupted?: true; verdict: string; leftBehind: string[] };
  /** The files in its folder for temporary ones. */
  readonly temporary: () => string[];
  readonly streams: () => Promise<number>;
}

/** Starts a `check` of a mock; `onRequest` sees each request first and may answer it. */
async function startCheck(
  onRequest: (check: RunningCheck, method: string) => Response | Promise<Response> | undefined,
): Promise<RunningCheck> {
  const temporary = temporaryFolder();
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ method }) => onRequest(check, method));
  const file = temporaryFile('report.json');
  const check: RunningCheck = {
    command: startProcess(
      [
        ...['check', '--base-url', proxy.baseUrl, '--control-url', proxy.controlUrl],
        ...['--api-key', apiKey, '--report', file],
      ],
      { TMPDIR: temporary },
    ),
    proxy,
    report: () => JSON.parse(readFileSync(file, 'utf8')),
    temporary: () => readdirSync(temporary),
    streams: async () => (await mock.world(apiKey)).streams().length,
  };
  return check;
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a check with status %i, its report, and nothing left behind',
  async (signal, status) => {
    const check = await startCheck(({ command, proxy }) => {
      if (proxy.received.length === 40) command.kill(signal);
      return undefined;
    });
    const finished = await check.command.finished;
    expect(finished.status).toBe(status);
    expect(finished.stderr).toContain(`${signal}: deleting what was created`);
    expect(check.report()).toMatchObject({ interrupted: true, leftBehind: [] });
    expect(await check.streams()).toBe(0);
    expect(check.temporary()).toEqual([]);
  },
);

/** What each command needs beside the target, to be under way for long enough. */
const commands = {
  check: [],
  learn: ['--out', '/dev/null'],
  compare: ['--time', '20s'],
};

/** Starts a command against a mock, to which something happens after some requests. */
async function interrupt(
  name: keyof typeof commands,
  env: NodeJS.ProcessEnv,
  happens: (command: Running) => void,
): Promise<{ finished: Running['finished']; left: () => Promise<number> }> {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, () => {
    if (proxy.received.length === 60) happens(command);
    return undefined;
  });
  const target = ['--base-url', proxy.baseUrl, '--control-url', proxy.controlUrl];
  const args = [name, ...target, '--api-key', apiKey, ...commands[name]];
  const command = startProcess(args, env);
  const left = async (): Promise<number> => (await mock.world(apiKey)).streams().length;
  return { finished: command.finished, left };
}

test.each(Object.keys(commands) as (keyof typeof commands)[])(
  '%s leaves nothing behind when its terminal is closed, and nobody reads what it writes',
  async (name) => {
    const { finished, left } = await interrupt(name, {}, (command) => {
      command.hangUp();
      command.kill('SIGHUP');
    });
    expect((await finished).status).toBe(129);
    expect(await left()).toBe(0);
  },
);

/** Throws in the middle of a run what nobody catches. */
const throwing = `process.on('SIGUSR2', () => Promise.reject(new Error('of a test \u001b[2J')))`;

test.each(Object.keys(commands) as (keyof typeof commands)[])(
  '%s cleans up after an error that nobody caught, says so in a sentence, and ends with 3',
  async (name) => {
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}` };
    const { finished, left } = await interrupt(name, env, (command) => command.kill('SIGUSR2'));
    const { status, stdout, stderr } = await finished;
    expect(stderr).toBe(
      '\nlivestream-mock: internal error in livestream-mock, please report it: of a test \\u001b[2J: deleting what was created; interrupt again to leave it there\n',
    );
    expect(stdout).toMatch(/interrupted/i);
    expect(status).toBe(3);
    expect(await left()).toBe(0);
  },
);

test('a second signal ends a check at once, and what it leaves is listed', async () => {
  let deletions = 0;
  const check = await startCheck(({ command, proxy }, method) => {
    if (proxy.received.length === 40) command.kill('SIGINT');
    if (method !== 'DELETE') return undefined;
    deletions += 1;
    if (deletions === 1) command.kill('SIGINT');
    return new Promise<never>(() => {});
  });
  const { status, stdout } = await check.command.finished;
  expect(status).toBe(130);
  const { leftBehind } = check.report();
  const named = leftBehind.filter((line) => line.startsWith('stream '));
  const perhaps = leftBehind.filter((line) => line.startsWith('perhaps a stream'));
  expect(named).not.toEqual([]);
  expect(stdout).toContain(named[0]);
  // A creation that was cut off may have made its stream or not.
  const streams = await check.streams();
  expect(streams).toBeGreaterThanOrEqual(named.length);
  expect(streams).toBeLessThanOrEqual(named.length + perhaps.length);
  expect(check.temporary()).toEqual([]);
});

test('a check whose input ends while it waits for a person is incomplete, with a report', async () => {
  const { baseUrl } = await serveMock();
  const file = temporaryFile('report.json');
  const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const line = `${process.execPath} ${program} check --base-url ${baseUrl} --api-key ${apiKey} --manual --patience 100 --report ${file}`;
  // `script` gives it a terminal, whose input ends when that of `script` does.
  const inTerminal = promisify(execFile)('script', ['-qec', line, '/dev/null']);
  inTerminal.child.stdin?.end();
  await expect(inTerminal).rejects.toMatchObject({ code: 2 });
  const { verdict, reasons } = JSON.parse(readFileSync(file, 'utf8'));
  expect(verdict).toBe('incomplete');
  expect(reasons.join()).toMatch(/the input has ended/);
});
