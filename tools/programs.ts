import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The programs that the tests run: their commands in order of preference, and the apt package. */
const programs = {
  browser: {
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'chrome', 'Google Chrome'],
    aptPackage: 'chromium',
    variable: 'CHROMIUM_PATH',
  },
  firefox: {
    commands: ['firefox-esr', 'firefox', 'Firefox'],
    aptPackage: 'firefox-esr',
    variable: 'FIREFOX_PATH',
  },
  ffmpeg: { commands: ['ffmpeg'], aptPackage: 'ffmpeg', variable: 'FFMPEG_PATH' },
  ffprobe: { commands: ['ffprobe'], aptPackage: 'ffmpeg', variable: 'FFPROBE_PATH' },
  redis: {
    commands: ['redis-server', 'valkey-server'],
    aptPackage: 'redis',
    variable: 'REDIS_SERVER_PATH',
  },
  haproxy: { commands: ['haproxy'], aptPackage: 'haproxy', variable: 'HAPROXY_PATH' },
} as const;

type ProgramName = keyof typeof programs;

const programNames = Object.keys(programs) as ProgramName[];

/** The paths of the programs that the tests run; `undefined` for one that is missing. */
export type Programs = Readonly<Record<ProgramName, string | undefined>>;

/** The machine on which programs are looked up. */
export type Machine = ReturnType<typeof thisMachine>;

/** Folders that are not on everyone's PATH. */
const furtherFolders = [
  '/usr/sbin',
  '/Applications/Google Chrome.app/Contents/MacOS',
  dirname(chromium.executablePath()),
];

/** The machine on which this runs. */
export function thisMachine({ asked = false } = {}) {
  const PATH = [process.env['PATH'], ...furtherFolders].join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH };
  const isRoot = process.getuid?.() === 0;
  // Missing programs are installed for root, in CI, or if the user asked.
  return { env, isRoot, mayInstall: asked || isRoot || Boolean(env['CI']) };
}

/**
 * Finds the programs that the tests run, and installs missing ones if that is allowed.
 * @throws Error if it cannot install them.
 */
export function findPrograms({ env, mayInstall, isRoot }: Machine): Programs {
  const paths = lookUp(env);
  const missing = programNames.filter((name) => paths[name] === undefined);
  if (missing.length === 0) return paths;
  const variables = missing.map((name) => programs[name].variable).join(', ');
  const advice = `${missing.join(', ')}. "npm run test:setup" installs it with apt-get; or set ${variables}.`;
  if (!mayInstall) {
    process.stdout.write(`Not found: ${advice}\nTests that need one of these are skipped.\n`);
    return paths;
  }
  const packages = new Set(missing.map((name) => programs[name].aptPackage));
  const install = `apt-get install -y --no-install-recommends ${[...packages].join(' ')}`;
  const asRoot = isRoot ? '' : 'sudo ';
  const command = `${asRoot}apt-get update -q && ${asRoot}${install}`;
  process.stdout.write(`Installing what the tests need: ${command}\n`);
  spawnSync('/bin/sh', ['-c', command], {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const installed = lookUp(env);
  if (Object.values(installed).includes(undefined)) {
    throw new Error(`Could not find or install ${advice}`);
  }
  return installed;
}

function lookUp(env: NodeJS.ProcessEnv): Programs {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = programNames.map((name) => {
    const { variable, commands } = programs[name];
    const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
    return [name, env[variable] || paths.find((path) => existsSync(path))];
  });
  return Object.fromEntries(paths);
}
