import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { findServers } from '../../tools/programs.ts';
import {
  freePort,
  type Server,
  serveArgs,
  startProgram,
  startServer,
  stopAll,
} from '../processes.ts';

/** A balancer, and the replicas behind it. */
export interface Team {
  readonly origin: string;
  readonly replicas: readonly Server[];
}

/** Starts the team of docs/team.md, at free ports, until the test ends. */
export async function startTeam(): Promise<Team> {
  const programs = findServers();
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-team-'));
  onTestFinished(async () => {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const [redisPort, port] = [await freePort(), await freePort()];
  const place = ['--bind', '127.0.0.1', '--port', String(redisPort), '--dir', folder];
  startProgram(programs.redis, [...place, '--appendonly', 'yes']);
  const store = `redis://127.0.0.1:${redisPort}`;
  const replicas = [await startReplica(store), await startReplica(store)];
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(config, configOf(port, replicas));
  startProgram(programs.haproxy, ['-db', '-f', config]);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(async () => (await fetch(origin).catch(() => undefined))?.ok, 30_000);
  return { origin, replicas };
}

function startReplica(store: string): Promise<Server> {
  const argsAt = (port: number) => {
    const mediaOrigin = `http://127.0.0.1:${port}`;
    return serveArgs(port, '--world', 'empty', '--store', store, '--media-origin', mediaOrigin);
  };
  const first = { method: 'GET', path: '/openapi.json', headers: {}, status: 200 } as const;
  return startServer(argsAt, first);
}

/** The balancer's configuration on the page, with the addresses of this team. */
function configOf(port: number, [first, second]: Team['replicas']): string {
  const page = readFileSync(new URL('../../docs/team.md', import.meta.url), 'utf8');
  const [, shown = ''] = /^```haproxy\n([^`]*)```$/m.exec(page) ?? [];
  return shown
    .replace('127.0.0.1:4100', `127.0.0.1:${port}`)
    .replace('127.0.0.1:4101', new URL(first?.origin ?? '').host)
    .replace('127.0.0.1:4102', new URL(second?.origin ?? '').host);
}
