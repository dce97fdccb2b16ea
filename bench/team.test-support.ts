import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '../tools/command-line.test-support.ts';
import { program } from '../tools/program.test-support.ts';
import { temporaryFolder } from '../tools/temporary.test-support.ts';
import { commandLine, launchServer, type Server, startProgram, stopPrograms } from './processes.ts';

/** Starts the setup of docs/team.md, a balancer and two replicas, on free ports, until the test ends. */
export async function startTeam() {
  const folder = temporaryFolder();
  onTestFinished(stopPrograms);
  const redisPort = await freePort();
  const place = ['--bind', '127.0.0.1', '--port', String(redisPort), '--dir', folder];
  startProgram(program('redis'), [...place, '--appendonly', 'yes']);
  const store = `redis://127.0.0.1:${redisPort}`;
  const replicas = [await startReplica(store), await startReplica(store)];
  const config = join(folder, 'haproxy.cfg');
  const port = await freePort();
  writeFileSync(config, configOf(port, replicas));
  startProgram(program('haproxy'), ['-db', '-f', config]);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(async () => (await fetch(origin).catch(() => undefined))?.ok, 30_000);
  return { origin, replicas };
}

async function startReplica(store: string): Promise<Server> {
  const port = String(await freePort());
  const place = ['--port', port, '--media-origin', `http://127.0.0.1:${port}`];
  const args = [commandLine, 'serve', '--json', '--world', 'empty', '--store', store, ...place];
  return launchServer(args, { method: 'GET', path: '/openapi.json', headers: {}, status: 200 });
}

/** The balancer's configuration from the page, with the addresses of this setup. */
function configOf(port: number, replicas: readonly Server[]): string {
  const page = readFileSync(new URL('../docs/team.md', import.meta.url), 'utf8');
  const [, shown = ''] = /^```haproxy\n([^`]*)```$/m.exec(page) ?? [];
  const hosts = [`127.0.0.1:${port}`, ...replicas.map(({ origin }) => new URL(origin).host)];
  return shown.replace(/127\.0\.0\.1:410([012])/g, (_, index) => hosts[Number(index)] ?? '');
}
