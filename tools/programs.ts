import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

interface Program {
  readonly title: string;
  /** The environment variable with the path of one to use instead. */
  readonly variable: string;
  /** Its names, the preferred one first. */
  readonly commands: readonly string[];
  readonly aptPackage: string;
}

const programs = {
  browser: {
    title: 'a Chromium browser',
    variable: 'CHROMIUM_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'chrome', 'Google Chrome'],
    aptPackage: 'chromium',
  },
  ffmpeg: {
    title: 'ffmpeg',
    variable: 'FFMPEG_PATH',
    commands: ['ffmpeg'],
    aptPackage: 'ffmpeg',
  },
  ffprobe: {
    title: 'ffprobe',
    variable: 'FFPROBE_PATH',
    commands: ['ffprobe'],
    aptPackage: 'ffmpeg',
  },
  redis: {
    title: 'a Redis server',
    variable: 'REDIS_SERVER_PATH',
    commands: ['redis-server', 'valkey-server'],
    aptPackage: 'redis',
  },
  haproxy: {
    title: 'HAProxy',
    variable: 'HAPROXY_PATH',
    commands: ['haproxy'],
    aptPackage: 'haproxy',
  },
} as const satisfies Record<string, Program>;

type ProgramName = keyof typeof programs;

const programNames = Object.keys(programs) as ProgramName[];

/** The paths of the programs that the tests run; `undefined` for one that is missing. */
export type Programs = Readonly<Record<ProgramName, string | undefined>>;

/** The machine that programs are looked up on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Whether what is missing is installed: by root, in CI, or where the user asked for it. */
  readonly mayInstall: boolean;
  readonly isRoot: boolean;
}

/** Where programs are that are not on the PATH of everybody. */
const furtherFolders = [
  '/usr/sbin',
  '/Applications/Google Chrome.app/Contents/MacOS',
  dirname(chromium.executablePath()),
];

/** The machine that this runs on. */
export function thisMachine({ asked = false } = {}): Machine {
  const { env } = process;
  const isRoot = process.getuid?.() === 0;
  const mayInstall = asked || isRoot || Boolean(env['CI']);
  const PATH = [env['PATH'], ...furtherFolders].join(delimiter);
  return { env: { ...env, PATH }, mayInstall, isRoot };
}

/** The path of one program. @throws Error when it is missing */
export function findProgram(name: ProgramName): string {
  const path = lookUp(programs[name], thisMachine());
  if (path === undefined) throw new Error(`Could not find ${advise([name])}`);
  return path;
}

/**
 * Finds the programs that the tests run, and installs what is missing, where it may.
 * @throws Error when it cannot install it
 */
export function findPrograms(machine: Machine): Programs {
  const found = lookUpAll(machine);
  const missing = missingOf(found);
  if (missing.length === 0) return found;
  if (!machine.mayInstall) {
    say(`Not found here: ${advise(missing)}\nTests that need one of these are left out.`);
    return found;
  }
  const packages = new Set(missing.map((name) => programs[name].aptPackage));
  const install = `apt-get install -y --no-install-recommends ${[...packages].join(' ')}`;
  const asRoot = machine.isRoot ? '' : 'sudo ';
  const command = `${asRoot}apt-get update -q && ${asRoot}${install}`;
  say(`Installing what the tests need: ${command}`);
  const env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('/bin/sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = lookUpAll(machine);
  const stillMissing = missingOf(installed);
  if (stillMissing.length === 0) return installed;
  throw new Error(`Could not find or install ${advise(stillMissing)}`);
}

function lookUpAll(machine: Machine): Programs {
  const found = programNames.map((name) => [name, lookUp(programs[name], machine)]);
  return Object.fromEntries(found);
}

function lookUp({ variable, commands }: Program, { env }: Machine): string | undefined {
  const chosen = env[variable];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    // To use another one silently would hide the mistake.
    throw new Error(`${variable} names ${chosen}, which does not exist; correct it or unset it.`);
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return paths.find((path) => existsSync(path));
}

function missingOf(found: Programs): ProgramName[] {
  return programNames.filter((name) => found[name] === undefined);
}

function advise(names: readonly ProgramName[]): string {
  const titles = names.map((name) => programs[name].title).join(', ');
  const variables = names.map((name) => programs[name].variable).join(', ');
  return `${titles}. "npm run test:setup" installs it with apt-get; or set ${variables}.`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
