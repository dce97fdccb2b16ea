/**
 * Loads one server with a hundred worlds for minutes, under faults, and tells whether its memory is
 * flat. It talks to loopback only, and ends by itself.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../fixtures/random.ts';
import { serveArgs } from './ours.ts';
import { residentMegabytes } from './rss.ts';
import { type Server, startServer } from './servers.ts';
import { actions, createTraffic, type Traffic } from './soak-actions.ts';
import { describeGrowth, judgeSoak } from './soak-verdict.ts';
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

function report(samples: readonly number[], traffic: Traffic): void {
  const { answered, broken, statuses } = traffic;
  process.stdout.write(
    `\n${answered} requests answered, ${broken} broken, statuses ${JSON.stringify(Object.fromEntries(statuses))}\n` +
      `memory in MB: ${describeGrowth(samples)}\n`,
  );
  for (const fault of judgeSoak(samples, traffic)) {
    process.stdout.write(`${fault}\n`);
    process.exitCode = 1;
  }
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  throw new RangeError(`option --minutes: expected 1 to 1440, got ${values.minutes}`);
}
await soak(minutes);
