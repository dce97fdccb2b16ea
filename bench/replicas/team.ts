import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServers } from '../../tools/programs.ts';
import { freePort, serveArgs, startProgram, startServer } from '../measure/processes.ts';

/** A process of the team. */
interface Member {
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** A Redis, replicas that keep their worlds there, and the balancer in front of them. */
export interface Team {
  readonly origin: string;
  readonly redis: Member;
  readonly balancer: Member;
  readonly replicas: readonly (Member & { readonly origin: string })[];
}

/** Starts the team of docs/team.md, at free ports. */
export async function startTeam(): Promise<Team> {
  const programs = findServers();
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-team-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [redisPort, port] = [await freePort(), await freePort()];
  const place = ['--bind', '127.0.0.1', '--port', String(redisPort), '--dir', folder];
  const redis = startMember(programs.redis, [...place, '--appendonly', 'yes']);
  const store = `redis://127.0.0.1:${redisPort}`;
  const replicas = [await startReplica(store), await startReplica(store)];
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(config, configOf(port, replicas));
  const balancer = startMember(programs.haproxy, ['-db', '-f', config]);
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => undefined))?.ok);
  return { origin, redis, balancer, replicas };
}

function startMember(command: string, args: readonly string[]): Member {
  const { child, ended } = startProgram(command, args);
  const stop = (): Promise<unknown> => {
    child.kill('SIGKILL');
    return ended;
  };
  return { pid: child.pid ?? 0, stop };
}

function startReplica(store: string): Promise<Team['replicas'][number]> {
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
