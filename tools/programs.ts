import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Where the programs stand that the tests run. */
export interface Programs {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly browser: string;
}

/** What the look-up knows of the machine it runs on; its own tests hand in another. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
  /** Where a browser usually stands when it is not on the PATH. */
  readonly browserPlaces: readonly string[];
  readonly say: (line: string) => void;
}

type ProgramName = keyof Programs;

interface Wanted {
  readonly title: string;
  readonly why: string;
  readonly commands: readonly string[];
  readonly variable: string;
  readonly versionArgs: readonly string[];
  /** The package that holds the program, named alike by apt-get and Homebrew. */
  readonly package: string;
  readonly advice: string;
}

const onWindows = process.platform === 'win32';

const ffmpegAdvice = '"apt-get install ffmpeg" or "brew install ffmpeg"';

const wanted: Record<ProgramName, Wanted> = {
  ffmpeg: {
    title: 'ffmpeg',
    why: 'decodes the recordings',
    commands: ['ffmpeg'],
    variable: 'FFMPEG_PATH',
    versionArgs: ['-version'],
    package: 'ffmpeg',
    advice: ffmpegAdvice,
  },
  ffprobe: {
    title: 'ffprobe',
    why: 'measures the recordings',
    commands: ['ffprobe'],
    variable: 'FFPROBE_PATH',
    versionArgs: ['-version'],
    package: 'ffmpeg',
    advice: ffmpegAdvice,
  },
  browser: {
    title: 'a Chromium browser',
    why: 'plays the recordings',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    variable: 'CHROMIUM_PATH',
    // On Windows `chrome --version` opens a window in place of answering.
    versionArgs: onWindows ? ['--headless', '--dump-dom', 'about:blank'] : ['--version'],
    package: 'chromium',
    advice: '"npx playwright-core install --with-deps chromium"',
  },
};

/** Find ffmpeg and ffprobe, or install them. */
export function findFfmpeg(machine: Machine = thisMachine()): Pick<Programs, 'ffmpeg' | 'ffprobe'> {
  return findOrInstall(['ffmpeg', 'ffprobe'], machine);
}

/** Find a Chromium browser, or install one. */
export function findBrowser(machine: Machine = thisMachine()): string {
  return findOrInstall(['browser'], machine).browser;
}

/** Find every program the tests run, or install what is missing. */
export function findPrograms(machine: Machine = thisMachine()): Programs {
  return findOrInstall(['ffmpeg', 'ffprobe', 'browser'], machine);
}

function thisMachine(): Machine {
  return {
    env: process.env,
    isRoot: process.getuid?.() === 0,
    browserPlaces: usualBrowserPlaces(process.env),
    say: (line) => process.stdout.write(`${line}\n`),
  };
}

type Found<Name extends ProgramName> = Partial<Record<Name, string>>;

function findOrInstall<Name extends ProgramName>(
  names: readonly Name[],
  machine: Machine,
): Record<Name, string> {
  const found: Found<Name> = {};
  const missing = (): Name[] => names.filter((name) => found[name] === undefined);
  const look = (): void => {
    for (const name of missing()) {
      const place = lookUp(wanted[name], machine);
      if (place !== undefined) found[name] = place;
    }
  };

  look();
  for (const way of waysToInstall(machine)) {
    const packages = new Set(missing().map((name) => wanted[name].package));
    const offered = [...packages].filter((name) => way.packages.includes(name));
    if (offered.length === 0) continue;
    machine.say(`installing ${offered.join(' and ')} with ${way.title}, once …`);
    // Whether a command worked shows in the next look, not in its exit status.
    for (const command of way.commands(offered)) succeeds(command, machine, 'inherit');
    look();
  }

  if (isComplete(names, found)) return found;
  const parts = missing().map((name) => complaint(wanted[name]));
  throw new Error(`Could not find or install ${parts.join(', nor ')}.`);
}

function isComplete<Name extends ProgramName>(
  names: readonly Name[],
  found: Found<Name>,
): found is Record<Name, string> {
  return names.every((name) => found[name] !== undefined);
}

function complaint({ title, why, advice, variable }: Wanted): string {
  return `${title}, which ${why} in the tests (run ${advice}, or set ${variable})`;
}

function lookUp(program: Wanted, machine: Machine): string | undefined {
  const starts = (place: string): boolean =>
    existsSync(place) && succeeds([place, ...program.versionArgs], machine);

  const chosen = machine.env[program.variable];
  if (chosen) {
    if (starts(chosen)) return chosen;
    // Taking another one silently would hide the mistake.
    throw new Error(
      `${program.variable} names ${chosen}, which does not start; correct it or unset it.`,
    );
  }

  const places = program.commands.flatMap((command) => placesOnPath(command, machine));
  if (program === wanted.browser) places.push(...machine.browserPlaces);
  return places.find(starts);
}

interface WayToInstall {
  readonly title: string;
  readonly packages: readonly string[];
  readonly commands: (packages: readonly string[]) => string[][];
}

/** The ways this machine offers, the preferred one first. */
function waysToInstall(machine: Machine): WayToInstall[] {
  const ways: WayToInstall[] = [];
  const aptGet = aptGetAsRoot(machine);
  if (aptGet) {
    ways.push({
      title: 'apt-get',
      packages: ['ffmpeg', 'chromium'],
      // One command each: a package this system lacks must not stop the other.
      commands: (packages) => [
        [...aptGet, 'update', '-q'],
        ...packages.map((name) => [...aptGet, 'install', '-y', '--no-install-recommends', name]),
      ],
    });
  }
  const [npx] = placesOnPath('npx', machine);
  if (npx) {
    // The libraries that the browser needs come through apt-get, so ask only where that works.
    const withLibraries = aptGet ? ['--with-deps'] : [];
    ways.push({
      title: 'Playwright',
      packages: ['chromium'],
      commands: () => [[npx, 'playwright-core', 'install', ...withLibraries, 'chromium']],
    });
  }
  const [brew] = placesOnPath('brew', machine);
  if (brew) {
    ways.push({
      title: 'Homebrew',
      packages: ['ffmpeg'],
      commands: (packages) => [[brew, 'install', ...packages]],
    });
  }
  return ways;
}

/** The words that start apt-get as root without a question, where that is possible. */
function aptGetAsRoot(machine: Machine): string[] | undefined {
  const [aptGet] = placesOnPath('apt-get', machine);
  if (!aptGet) return undefined;
  // sudo drops the environment, so the setting goes behind it.
  const command = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive', aptGet];
  if (machine.isRoot) return command;
  const [sudo] = placesOnPath('sudo', machine);
  return sudo && succeeds([sudo, '-n', 'true'], machine) ? [sudo, '-n', ...command] : undefined;
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
