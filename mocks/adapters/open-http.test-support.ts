import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { createMock } from '../mock.ts';
import { mockOptions, type OpenIntegration, type Setting } from './integration.test-support.ts';
import { serve } from './node/node.ts';

/** The library's HTTP server, in this process. */
export async function openServer(setting: Setting): Promise<OpenIntegration> {
  const server = await serve(createMock(mockOptions(setting)));
  onTestFinished(() => server.close());
  return { origin: server.origin, send: fetch };
}

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const stoppedClock = 'data:text/javascript,Date.now=()=>Date.UTC(2026,0,1)';

/** `livestream-mock serve`, which replaces the `Request` and `Response` of its process by lighter ones. */
export async function openCommandLine(setting: Setting): Promise<OpenIntegration> {
  const { world, seed, recordingDelay, clock, dialect } = setting;
  const still = clock === 'still' ? ['--import', stoppedClock] : [];
  const where = ['--port', '0', '--json'];
  const what = ['--world', world, '--seed', seed, '--recording-delay', `${recordingDelay}ms`];
  const how = dialect === undefined ? [] : ['--dialect', temporaryFile('dialect.json', dialect)];
  const child = spawn(process.execPath, [...still, program, 'serve', ...where, ...what, ...how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = await once(child.stdout, 'data');
  return { origin: new URL(JSON.parse(String(line)).baseUrl).origin, send: fetch };
}
