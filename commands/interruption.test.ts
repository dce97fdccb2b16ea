import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { serveMock, serveProxy, type TestServer } from '../conformance/servers.test-support.ts';
import { type Running, startCommand } from '../tools/command-line.test-support.ts';

const apiKey = 'test-interruption';

interface Scene {
  readonly command: Running;
  readonly proxy: TestServer;
  readonly report: () => { interrupted?: true; verdict: string; leftBehind: string[] };
  /** What is in the folder for temporary files. */
  readonly temporary: () => string[];
  readonly streams: () => Promise<number>;
}

/** A `check` under way, of a mock that asks `onRequest` first. */
async function startCheck(
  onRequest: (scene: Scene, method: string) => Response | Promise<Response> | undefined,
): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'interruption-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ method }) => onRequest(scene, method));
  const file = join(folder, 'report.json');
  const scene: Scene = {
    command: startCommand(
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
  return scene;
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a check with status %i, its report, and nothing left behind',
  async (signal, status) => {
    const scene = await startCheck(({ command, proxy }) => {
      if (proxy.received.length === 40) command.kill(signal);
      return undefined;
    });
    const finished = await scene.command.finished;
    expect(finished.status).toBe(status);
    expect(finished.stderr).toContain(`${signal}: deleting what the suite created`);
    expect(scene.report()).toMatchObject({ interrupted: true, leftBehind: [] });
    expect(await scene.streams()).toBe(0);
    expect(scene.temporary()).toEqual([]);
  },
);

test('a second signal ends a check at once, and what it leaves is listed', async () => {
  let deletions = 0;
  const scene = await startCheck(({ command, proxy }, method) => {
    if (proxy.received.length === 40) command.kill('SIGINT');
    if (method !== 'DELETE') return undefined;
    deletions += 1;
    if (deletions === 1) command.kill('SIGINT');
    return new Promise<never>(() => {});
  });
  const { status, stdout } = await scene.command.finished;
  expect(status).toBe(130);
  const { leftBehind } = scene.report();
  expect(leftBehind).toHaveLength(await scene.streams());
  expect(stdout).toContain(leftBehind[0]);
  expect(scene.temporary()).toEqual([]);
});

test('a check whose person has gone ends with a report, and no success', async () => {
  const { baseUrl } = await serveMock();
  const folder = mkdtempSync(join(tmpdir(), 'interruption-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.json');
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
