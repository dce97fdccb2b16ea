/**
 * `npm run replicas` loads two replicas behind HAProxy, kills one, and tells whether an acknowledged change
 * was lost and how long worlds did not answer. It talks to loopback only.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, stopAll } from '../measure/processes.ts';
import { startTeam, type Team } from './team.ts';
import { drive, type LoadedWorld, lostOf, newWorld } from './traffic.ts';

/** Longest time that a world may not answer, in milliseconds: the lease and two seconds. */
const longestOutage = 5_000 + 2_000;

/** Seconds that the replicas together, Redis and HAProxy have worked so far. */
function workOf({ replicas, redis, balancer }: Team): number[] {
  const groups = [replicas.map(({ pid }) => pid), [redis.pid], [balancer.pid]];
  return groups.map((pids) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
}

function sumOf(worlds: readonly LoadedWorld[], count: 'answered' | 'failed'): number {
  return worlds.reduce((sum, world) => sum + world[count], 0);
}

/** Waits, and says what was answered meanwhile and what a request took of each program. */
async function describeLoad(
  team: Team,
  worlds: readonly LoadedWorld[],
  seconds: number,
): Promise<string[]> {
  const [before, answered] = [workOf(team), sumOf(worlds, 'answered')];
  await setTimeout(1000 * seconds);
  const count = sumOf(worlds, 'answered') - answered;
  const [replica, redis, balancer] = workOf(team).map((work, index) =>
    Math.round((1e6 * (work - (before[index] ?? 0))) / count),
  );
  return [
    `${Math.round(count / seconds)} requests a second, half of them changes, in ${worlds.length} worlds`,
    `a request takes ${replica} µs of processor in a replica, ${redis} µs in Redis, ${balancer} µs in HAProxy`,
  ];
}

/** Kills a replica under load; says what came of it, and returns what should not have come. */
async function killOne(team: Team, worlds: readonly LoadedWorld[]): Promise<string[]> {
  const failures = worlds.map(({ lastFailure }) => lastFailure).filter((failure) => failure !== '');
  const before = worlds.map(({ failed }) => failed);
  const killedAt = performance.now();
  await team.replicas[0]?.stop();
  await setTimeout(longestOutage + 1_000);
  const moved = worlds.filter(({ failed }, index) => failed > (before[index] ?? 0));
  const outage = Math.max(...moved.map(({ recoveredAt }) => recoveredAt)) - killedAt;
  say([
    `kill -9 of a replica: ${moved.length} worlds moved to the other one, each within ${(outage / 1000).toFixed(1)} s`,
  ]);
  return [
    failures.length > 0 ? [`expected no failure before the kill, got ${failures[0]}`] : [],
    moved.length === 0 ? ['expected worlds that move to the other replica, got none'] : [],
    outage > longestOutage ? [`expected ${longestOutage} ms at most, got ${outage}`] : [],
  ].flat();
}

async function run(worldCount: number, seconds: number): Promise<string[]> {
  const team = await startTeam();
  const worlds = Array.from({ length: worldCount }, (_, index) =>
    newWorld(team.origin, `test-${index}`),
  );
  let isOver = false;
  const clients = worlds.map((world) => drive(world, () => isOver));
  // The first requests make the worlds.
  while (worlds.some(({ answered }) => answered === 0)) await setTimeout(100);
  say(await describeLoad(team, worlds, seconds));
  const errors = await killOne(team, worlds);
  isOver = true;
  await Promise.all(clients);
  const lost = (await Promise.all(worlds.map((world) => lostOf(world)))).flat();
  const made = worlds.flatMap(({ created, recorded }) => [...created, ...recorded]);
  say([`${made.length} acknowledged changes, ${lost.length} lost`]);
  return lost.length > 0 ? [...errors, 'expected no acknowledged change to be lost'] : errors;
}

function say(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
});
process.on('exit', stopAll);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const errors = await run(Number(values.worlds), Number(values.seconds));
say(errors);
process.exit(errors.length > 0 ? 1 : 0);
