import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Installed } from './installed.ts';
import { fail, passed } from './run.ts';

const Announcement = z.object({
  baseUrl: z.url(),
  controlUrl: z.url(),
  apiKey: z.string().min(1),
});

/** The command line serves, answers and ends when it is told to. */
export async function checkCommandLine({ folder, manifest }: Installed): Promise<void> {
  const command = join(folder, 'node_modules', '.bin', manifest.name);
  const server = spawn(command, ['serve', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const exit = once(server, 'exit');
    const line = await Promise.race([
      once(createInterface(server.stdout), 'line'),
      exit.then(([status]) => fail(`${manifest.name} serve ended early with status ${status}.`)),
      timeUp(10_000, `${manifest.name} serve printed no line within 10 s.`),
    ]);
    const { baseUrl, apiKey } = Announcement.parse(JSON.parse(String(line[0])));

    const response = await fetch(`${baseUrl}/stream`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(5_000),
    });
    const body: unknown = await response.json();
    if (response.status !== 200 || !Array.isArray(body)) {
      fail(`GET /stream answered ${response.status} ${JSON.stringify(body)}, not 200 with a list.`);
    }

    server.kill('SIGTERM');
    const [status, signal] = await Promise.race([
      exit,
      timeUp(2_000, 'SIGTERM did not end the server within 2 s.'),
    ]);
    if (status !== 0) fail(`SIGTERM ended the server with ${status ?? signal}, not status 0.`);
  } finally {
    server.kill('SIGKILL');
  }
  passed('the command line serves, answers and ends');
}

/** Fail after a while, without keeping the process alive for it. */
function timeUp(milliseconds: number, message: string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message)), milliseconds).unref();
  });
}
