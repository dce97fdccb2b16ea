/** Measures this project against its goals: `npm run bench`. Its exit status is 1 if it does not reach them all. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWithNodeHttp } from './compare-with-node-http.ts';
import {
  type BenchRun,
  type Goal,
  goalOf,
  isReached,
  renderGoals,
  standardExtent,
} from './goals.ts';
import { measureGrowth } from './growth.ts';
import { interleaved } from './measuring.ts';
import { runMock, stopPrograms } from './processes.ts';

/** Everything that is measured, in this order. */
const benchmarks: Readonly<Record<string, (run: BenchRun) => Promise<Goal[]>>> = {
  'node-http': compareWithNodeHttp,
  growth: measureGrowth,
  check: measureCheck,
};
const benchmarkNames = Object.keys(benchmarks);

const quickExtent = { seconds: 0.3, rounds: 1, starts: 1, streams: 2_000 };

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: benchmarkNames },
      quick: { type: 'boolean', default: false },
    },
  });
  const measures = values.only.map(readBenchmark);
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const extent = values.quick ? quickExtent : standardExtent;
  const goals: Goal[] = [];
  for (const measure of measures) {
    goals.push(...(await measure({ extent, folder, say })));
  }
  process.stdout.write(`${describeMachine()}\n\n${renderGoals(goals)}\n`);
  const missed = goals.filter((goal) => !isReached(goal)).map(({ title }) => title);
  if (missed.length > 0) throw new Error(`these goals were not reached: ${missed.join(', ')}`);
}

/** How long the suite takes to judge the mock, in its own process. */
async function measureCheck({ extent }: BenchRun): Promise<Goal[]> {
  say('check: the suite judges the mock');
  const { check } = await interleaved(['check'], extent.rounds, async () => {
    const start = performance.now();
    await runMock('check', '--mock');
    return performance.now() - start;
  });
  return [goalOf('check --mock', check / 1000, { atMost: 1 }, 's')];
}

function readBenchmark(name: string) {
  const measure = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
  if (measure !== undefined) return measure;
  throw new Error(`option --only: expected one of ${benchmarkNames.join(', ')}, got "${name}"`);
}

/** The machine and the date, without which the figures mean nothing. */
function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  return `${date}, Node ${process.version}, ${processors.length} × ${processors[0]?.model}`;
}

process.on('exit', stopPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  await bench();
} catch (exception) {
  say(exception instanceof Error ? exception.message : String(exception));
  process.exit(1);
}
