/**
 * Loads one server with a hundred worlds for minutes, under faults, and tells whether its memory is
 * flat. It talks to loopback only, and ends by itself.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../../fixtures/random.ts';
import { serveArgs } from './ours.ts';
import { residentMegabytes } from './rss.ts';
import { type Server, startServer } from './servers.ts';
import { actions, createTraffic, type Traffic } from './soak-actions.ts';
import { median } from './statistics.ts';
import { get } from './work.ts';

const worlds = 100;
const clients = 16;
/** Milliseconds between two looks at the memory. */
const interval = 5_000;

async function soak(minutes: number): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const server = await startServer(serveArgs(), get('/openapi.json'));
  try {
    const traffic = createTraffic(server.origin);
    const until = performance.now() + minutes * 60_000;
    const lanes = Array.from({ length: clients }, (_, lane) =>
      drive(createRandom(`soak ${lane}`), traffic, until),
    );
    const [samples] = await Promise.all([watchMemory(server, until), ...lanes]);
    report(samples, traffic);
  } finally {
    await server.stop();
  }
}

/** One client after another's request, each in a world and an action that chance picks. */
async function drive(random: Random, traffic: Traffic, until: number): Promise<void> {
  while (performance.now() < until) {
    const action = actions[random.integer(0, actions.length - 1)];
    const apiKey = `test-soak-${random.integer(1, worlds)}`;
    await action?.({ traffic, apiKey, random });
  }
}

async function watchMemory({ pid }: Server, until: number): Promise<number[]> {
  const samples: number[] = [];
  while (performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, interval);
    });
    const megabytes = await residentMegabytes(pid);
    samples.push(megabytes);
    process.stdout.write(`${megabytes.toFixed(0)} `);
  }
  return samples;
}

function report(samples: readonly number[], { answered, broken, statuses }: Traffic): void {
  const quarter = Math.floor(samples.length / 4);
  const second = median(samples.slice(quarter, 2 * quarter));
  const last = median(samples.slice(-quarter));
  const ratio = last / second;
  process.stdout.write(
    `\n${answered} requests answered, ${broken} broken by faults, statuses ${JSON.stringify(Object.fromEntries(statuses))}\n` +
      `memory in MB, medians: ${second.toFixed(0)} in the second quarter, ${last.toFixed(0)} in the last, ${ratio.toFixed(2)} times\n`,
  );
  if (ratio > 1.1) {
    process.stdout.write('expected flat memory, at most 1.1 times\n');
    process.exitCode = 1;
  }
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
await soak(Number(values.minutes));
