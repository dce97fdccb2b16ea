import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Paths of the programs that the tests run. */
export interface Programs {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly browser: string;
  readonly redis: string;
  readonly haproxy: string;
}

/** The machine to search; the tests of this file pass a made-up one. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
  /** Whether the user asked to install what is missing. */
  readonly asked: boolean;
  /** Paths to try for a program that is not on the PATH. */
  readonly places: Partial<Record<ProgramName, readonly string[]>>;
  readonly say: (line: string) => void;
}

type ProgramName = keyof Programs;

interface Wanted {
  readonly title: string;
  /** What it is called where the tests that lack it are counted. */
  readonly short: string;
  readonly why: string;
  readonly commands: readonly string[];
  readonly variable: string;
  readonly versionArgs: readonly string[];
  /** The package that holds the program, which has the same name in apt-get and Homebrew. */
  readonly package: string;
  readonly advice: string;
}

const onWindows = process.platform === 'win32';

const ffmpegAdvice = '"apt-get install ffmpeg" or "brew install ffmpeg"';

const wanted: Record<ProgramName, Wanted> = {
  ffmpeg: {
    title: 'ffmpeg',
    short: 'ffmpeg',
    why: 'decodes the recordings',
    commands: ['ffmpeg'],
    variable: 'FFMPEG_PATH',
    versionArgs: ['-version'],
    package: 'ffmpeg',
    advice: ffmpegAdvice,
  },
  ffprobe: {
    title: 'ffprobe',
    short: 'ffmpeg',
    why: 'measures the recordings',
    commands: ['ffprobe'],
    variable: 'FFPROBE_PATH',
    versionArgs: ['-version'],
    package: 'ffmpeg',
    advice: ffmpegAdvice,
  },
  browser: {
    title: 'a Chromium browser',
    short: 'a browser',
    why: 'plays the recordings',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    variable: 'CHROMIUM_PATH',
    // On Windows `chrome --version` opens a window instead of printing its version.
    versionArgs: onWindows ? ['--headless', '--dump-dom', 'about:blank'] : ['--version'],
    package: 'chromium',
    advice: '"npx playwright-core install --with-deps chromium"',
  },
  redis: {
    title: 'a Redis server',
    short: 'Redis',
    why: 'keeps worlds',
    commands: ['redis-server', 'valkey-server'],
    variable: 'REDIS_SERVER_PATH',
    versionArgs: ['--version'],
    package: 'redis',
    advice: '"apt-get install redis" or "brew install redis"',
  },
  haproxy: {
    title: 'HAProxy',
    short: 'HAProxy',
    why: 'balances replicas',
    commands: ['haproxy'],
    variable: 'HAPROXY_PATH',
    versionArgs: ['-v'],
    package: 'haproxy',
    advice: '"apt-get install haproxy" or "brew install haproxy"',
  },
};

/** Why a test was left out that needs a program which this machine lacks. */
export const lacking = 'a program is missing';

const all = ['browser', 'ffmpeg', 'ffprobe', 'redis', 'haproxy'] as const;

/** Finds a Chromium browser, or installs one where it may. @throws Error when there is none */
export function findBrowser(machine: Machine = thisMachine()): string {
  return findOrInstall(['browser'], machine).browser;
}

/** Finds a Redis server and HAProxy, or installs them where it may. @throws Error when one is missing */
export function findServers(machine: Machine = thisMachine()): Pick<Programs, 'redis' | 'haproxy'> {
  return findOrInstall(['redis', 'haproxy'], machine);
}

/**
 * Finds every program that the tests run, and installs what is missing. Where it may not, it says
 * what is missing and leaves it out. @throws Error when it cannot install it
 */
export function findPrograms(machine: Machine = thisMachine()): Partial<Programs> {
  if (mayInstall(machine)) return findOrInstall(all, machine);
  const found = lookUpAll(all, machine);
  const missing = all.filter((name) => found[name] === undefined);
  if (missing.length > 0) machine.say(leftOut(missing));
  return found;
}

/** How many tests need programs that are missing, and the command that installs those. */
export function countLeftOut(count: number, found: Partial<Programs>): string {
  const missing = all.filter((name) => found[name] === undefined);
  const shorts = [...new Set(missing.map((name) => wanted[name].short))];
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(shorts);
  const tests = count === 1 ? '1 test needs' : `${count} tests need`;
  return `${tests} ${either}: npm run test:setup`;
}

/** Nothing is installed unasked on a machine that somebody works at as an ordinary user. */
function mayInstall({ asked, isRoot, env }: Machine): boolean {
  return asked || isRoot || Boolean(env['CI']);
}

/** The machine that this runs on. */
export function thisMachine(asked = false): Machine {
  return {
    env: process.env,
    isRoot: process.getuid?.() === 0,
    asked,
    // Only root has this folder on the PATH.
    places: { browser: usualBrowserPlaces(process.env), haproxy: ['/usr/sbin/haproxy'] },
    say: (line) => process.stdout.write(`${line}\n`),
  };
}

type Found<Name extends ProgramName> = Partial<Record<Name, string>>;

function lookUpAll<Name extends ProgramName>(
  names: readonly Name[],
  machine: Machine,
): Found<Name> {
  const found: Found<Name> = {};
  for (const name of names) {
    const place = lookUp(name, machine);
    if (place !== undefined) found[name] = place;
  }
  return found;
}

function findOrInstall<Name extends ProgramName>(
  names: readonly Name[],
  machine: Machine,
): Record<Name, string> {
  const found = lookUpAll(names, machine);
  const missing = (): Name[] => names.filter((name) => found[name] === undefined);
  for (const way of mayInstall(machine) ? waysToInstall(machine) : []) {
    const packages = new Set(missing().map((name) => wanted[name].package));
    const offered = [...packages].filter((name) => way.packages.includes(name));
    if (offered.length === 0) continue;
    const commands = way.commands(offered);
    machine.say(announcement(missing(), commands));
    // Whether a command worked shows in the next look, not in its exit status.
    for (const command of commands) succeeds(command, machine, 'inherit');
    Object.assign(found, lookUpAll(missing(), machine));
  }

  if (isComplete(names, found)) return found;
  const parts = missing().map((name) => complaint(wanted[name]));
  const setup = mayInstall(machine) ? '' : ' "npm run test:setup" installs it.';
  throw new Error(`Could not find or install ${parts.join(', nor ')}.${setup}`);
}

function isComplete<Name extends ProgramName>(
  names: readonly Name[],
  found: Found<Name>,
): found is Record<Name, string> {
  return names.every((name) => found[name] !== undefined);
}

/** Says what is missing, what becomes of the tests, and how to install it. */
function leftOut(names: readonly ProgramName[]): string {
  const titles = names.map((name) => wanted[name].title).join(', ');
  const variables = names.map((name) => wanted[name].variable).join(', ');
  return [
    `Not found here: ${titles}.`,
    'Tests that need one of these are left out, and all others run.',
    `"npm run test:setup" installs what is missing; to use your own, set ${variables}.`,
  ].join('\n');
}

/** Says what is missing and which commands install it, before they run. */
function announcement(names: readonly ProgramName[], commands: readonly string[][]): string {
  const titles = names.map((name) => wanted[name].title).join(', ');
  const variables = names.map((name) => wanted[name].variable).join(', ');
  return [
    `The tests need what was not found here: ${titles}.`,
    `Installing it now, once, with these commands (set ${variables} to use your own instead):`,
    ...commands.map((command) => `  ${command.join(' ')}`),
  ].join('\n');
}

function complaint({ title, why, advice, variable }: Wanted): string {
  return `${title}, which ${why} in the tests (run ${advice}, or set ${variable})`;
}

function lookUp(name: ProgramName, machine: Machine): string | undefined {
  const program = wanted[name];
  const starts = (place: string): boolean =>
    existsSync(place) && succeeds([place, ...program.versionArgs], machine);

  const chosen = machine.env[program.variable];
  if (chosen) {
    if (starts(chosen)) return chosen;
    // To use another one silently would hide the mistake.
    throw new Error(
      `${program.variable} names ${chosen}, which does not start; correct it or unset it.`,
    );
  }

  const places = program.commands.flatMap((command) => placesOnPath(command, machine));
  return [...places, ...(machine.places[name] ?? [])].find(starts);
}

interface WayToInstall {
  readonly packages: readonly string[];
  readonly commands: (packages: readonly string[]) => string[][];
}

/** The installers of this machine, the preferred one first. */
function waysToInstall(machine: Machine): WayToInstall[] {
  const ways: WayToInstall[] = [];
  const aptGet = aptGetAsRoot(machine);
  if (aptGet) {
    ways.push({
      packages: ['ffmpeg', 'chromium', 'redis', 'haproxy'],
      // One command each: a package that this system lacks must not stop the other.
      commands: (packages) => [
        [...aptGet, 'update', '-q'],
        ...packages.map((name) => [...aptGet, 'install', '-y', '--no-install-recommends', name]),
      ],
    });
  }
  const [npx] = placesOnPath('npx', machine);
  if (npx) {
    // The browser's libraries are installed with apt-get, so only where that works.
    const withLibraries = aptGet ? ['--with-deps'] : [];
    ways.push({
      packages: ['chromium'],
      commands: () => [[npx, 'playwright-core', 'install', ...withLibraries, 'chromium']],
    });
  }
  const [brew] = placesOnPath('brew', machine);
  if (brew) {
    ways.push({
      packages: ['ffmpeg', 'redis', 'haproxy'],
      commands: (packages) => [[brew, 'install', ...packages]],
    });
  }
  return ways;
}

/** The command that runs apt-get as root, if there is one; only who asked for it is asked for a password. */
function aptGetAsRoot(machine: Machine): string[] | undefined {
  const [aptGet] = placesOnPath('apt-get', machine);
  if (!aptGet) return undefined;
  // sudo drops the environment, so env sets the variable after it.
  const command = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive', aptGet];
  if (machine.isRoot) return command;
  const [sudo] = placesOnPath('sudo', machine);
  if (!sudo) return undefined;
  if (machine.asked) return [sudo, ...command];
  return succeeds([sudo, '-n', 'true'], machine) ? [sudo, '-n', ...command] : undefined;
}

function placesOnPath(command: string, machine: Machine): string[] {
  const { PATH = '' } = machine.env;
  return PATH.split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, onWindows ? `${command}.exe` : command))
    .filter((place) => existsSync(place));
}

function usualBrowserPlaces(env: NodeJS.ProcessEnv): string[] {
  const { ProgramFiles, 'ProgramFiles(x86)': programFiles32, LOCALAPPDATA } = env;
  return [
    chromium.executablePath(),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...[ProgramFiles, programFiles32, LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
  ];
}

function succeeds(
  [command = '', ...args]: readonly string[],
  machine: Machine,
  stderr: 'ignore' | 'inherit' = 'ignore',
): boolean {
  const { status } = spawnSync(command, args, {
    env: machine.env,
    stdio: ['ignore', 'ignore', stderr],
  });
  return status === 0;
}
