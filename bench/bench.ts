/** Measures this project beside its peers: `npm run bench`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRun, extents } from './bench-run.ts';
import { peers } from './contestants.ts';
import { type Findings, renderFindings } from './findings.ts';
import { installPeers } from './installation.ts';
import { describeMachine, thisMachine } from './machine.ts';
import { type PartName, parts } from './parts.ts';
import { stopAll } from './processes.ts';
import { takeSample } from './sample.ts';
import { isMet } from './targets.ts';

const usage = `npm run bench -- [options]

  --only PART   one of ${Object.keys(parts).join(', ')}; repeatable
  --quick       short: shows that it works, its figures mean nothing
  --no-peers    without the others, and without installing them
  --json FILE   also write the results as JSON
  --markdown    print what stands in the README, without the details
`;

const options = {
  only: { type: 'string', multiple: true, default: Object.keys(parts) },
  quick: { type: 'boolean', default: false },
  'no-peers': { type: 'boolean', default: false },
  json: { type: 'string' },
  markdown: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function bench(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const wanted = values.only.map(readPart);
  const withPeers = !values['no-peers'] && wanted.some((name) => parts[name].needsPeers);
  const missing = withPeers ? await tryInstall() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run: BenchRun = {
    extent: extents[values.quick ? 'quick' : 'usual'],
    sample: await takeSample(folder),
    peers: withPeers && missing === undefined ? peers : [],
    say,
  };

  const findings: Findings[] = [];
  for (const name of wanted) findings.push(await parts[name].measure(run));
  const heading = [describeMachine(thisMachine()), ...(missing ?? [])].join('\n\n');
  process.stdout.write(renderFindings(heading, findings, !values.markdown));
  if (values.json !== undefined) writeJson(values.json, run, findings);
}

function readPart(name: string): PartName {
  if (Object.hasOwn(parts, name)) return name as PartName;
  const known = Object.keys(parts).join(', ');
  throw new Error(`option --only: expected one of ${known}, got "${name}"`);
}

/** Why the others are missing, if they are. */
async function tryInstall(): Promise<string[] | undefined> {
  try {
    await installPeers(say);
    return undefined;
  } catch (error) {
    return [`Without the others, as they could not be installed: ${(error as Error).message}`];
  }
}

function writeJson(file: string, { extent }: BenchRun, measured: readonly Findings[]): void {
  const findings = measured.map((part) => ({
    ...part,
    targets: part.targets.map((target) => ({ ...target, met: isMet(target) })),
  }));
  writeFileSync(
    file,
    `${JSON.stringify({ machine: thisMachine(), extent, findings }, undefined, 2)}\n`,
  );
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
