/** Measures this project beside its peers: `npm run bench`. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRun, extents } from './measure/run.ts';
import { runProgram, stopAll } from './measure/processes.ts';
import { type Findings, isMet, renderFindings } from './measure/results.ts';
import { takeSample } from './measure/sample.ts';
import { peers } from './measure/servers.ts';
import { measureCheck } from './parts/check.ts';
import { measureData } from './parts/data.ts';
import { measureGrowth } from './parts/growth.ts';
import { measureInstall } from './parts/install.ts';
import { measureIntegrations } from './parts/integrations.ts';
import { measureMedia } from './parts/media.ts';
import { measureMemory } from './parts/memory.ts';
import { measureStart } from './parts/start.ts';
import { measureThroughput } from './parts/throughput.ts';

type Measure = (run: BenchRun) => Promise<Findings>;

/** All that is measured, in this order. The first three compare with the peers. */
const parts = new Map<string, Measure>([
  ['throughput', measureThroughput],
  ['start', measureStart],
  ['media', measureMedia],
  ['growth', measureGrowth],
  ['data', measureData],
  ['memory', measureMemory],
  ['check', measureCheck],
  ['integrations', measureIntegrations],
  ['install', measureInstall],
]);
const withPeers = ['throughput', 'start', 'media'];

const usage = `npm run bench -- [options]

  --only PART   one of ${[...parts.keys()].join(', ')}; repeatable
  --quick       short: shows that it works, its figures mean nothing
  --no-peers    without the other mock servers, and without installing them
  --json FILE   also write the results as JSON
  --markdown    print the page docs/benchmarks.md
`;

const options = {
  only: { type: 'string', multiple: true, default: [...parts.keys()] as string[] },
  quick: { type: 'boolean', default: false },
  'no-peers': { type: 'boolean', default: false },
  json: { type: 'string' },
  markdown: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const page = `# Benchmarks

\`npm run bench\`, in a clone of the repository, measures this project beside bare \`node:http\`,
json-server, Mockoon, Prism and \`@mswjs/http-middleware\`: the same work on the same machine, in turn.
It installs them below \`bench\` first. \`npm run bench -- --only start\` measures one part, and
\`npm run bench -- --help\` lists the parts. \`npm run bench -- --markdown\` printed this page.

`;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function bench(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const measures = values.only.map(readPart);
  const wantsPeers = !values['no-peers'] && values.only.some((name) => withPeers.includes(name));
  const missing = wantsPeers ? await installPeers() : undefined;
  const machine = describeMachine();
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const extent = extents[values.quick ? 'quick' : 'usual'];
  const sample = await takeSample(folder);
  const run = { extent, sample, peers: wantsPeers && missing === undefined ? peers : [], say };

  const measured: Findings[] = [];
  for (const measure of measures) measured.push(await measure(run));
  const heading = [describeLine(machine), missing ?? []].flat().join('\n\n');
  process.stdout.write((values.markdown ? page : '') + renderFindings(heading, measured));
  if (values.json === undefined) return;
  const findings = measured.map((part) => ({
    ...part,
    targets: part.targets.map((target) => ({ ...target, met: isMet(target) })),
  }));
  writeFileSync(values.json, `${JSON.stringify({ machine, extent, findings }, undefined, 2)}\n`);
}

function readPart(name: string): Measure {
  const measure = parts.get(name);
  if (measure !== undefined) return measure;
  const known = [...parts.keys()].join(', ');
  throw new Error(`option --only: expected one of ${known}, got "${name}"`);
}

/** Installs the peers and the load generator, unless they are there; why it could not, if so. */
async function installPeers(): Promise<string | undefined> {
  const folder = import.meta.dirname;
  // npm writes this file when all is in its place.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return undefined;
  say('installing what is compared with: npm ci --prefix bench --omit=peer');
  // Without its peer, the middleware finds the project's own msw.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=peer'];
  const shell = process.platform === 'win32';
  return runProgram('npm', [...args, '--prefix', folder], { shell }).then(
    () => undefined,
    (error: Error) => `Without the peers, as they could not be installed: ${error.message}`,
  );
}

/** The machine and the day: figures mean nothing without them. */
function describeMachine() {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: processors[0]?.model.trim() ?? 'unknown processor',
    processors: processors.length,
    /** Gigabytes. */
    memory: Math.round(totalmem() / 1e9),
    /** Processes that wanted to run in the last minute, on average; other work spoils the figures. */
    load: loadavg()[0] ?? 0,
  };
}

function describeLine(machine: ReturnType<typeof describeMachine>): string {
  const { date, node, processor, processors, memory, load } = machine;
  const busy = load > processors / 2 ? `, busy with other work: load ${load.toFixed(1)}` : '';
  return `${date}, Node ${node}, ${processors} × ${processor}, ${memory} GB${busy}`;
}

process.on('exit', stopAll);
const endings = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
for (const [signal, status] of Object.entries(endings)) {
  process.once(signal, () => process.exit(status));
}

try {
  await bench();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
