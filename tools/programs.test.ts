import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countLeftOut, findBrowser, findPrograms, findServers, type Machine } from './programs.ts';

let folder = '';
let said: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  said = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A machine whose only programs are those that a test writes to the temporary folder. */
function machine(env: NodeJS.ProcessEnv = {}, rest: Partial<Machine> = {}): Machine {
  return {
    env: { PATH: folder, ...env },
    isRoot: true,
    asked: false,
    places: {},
    say: (line) => said.push(line),
    ...rest,
  };
}

function program(place: string, script = 'exit 0'): string {
  const path = join(folder, place);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** An installer that logs its arguments and then runs the script. */
function installer(name: string, script = ''): void {
  program(name, `echo "${name} $*" >> ${join(folder, 'log')}\n${script}`);
}

/** Script lines that write working programs to the temporary folder. */
const puts = (...names: string[]): string =>
  names
    .map((name) => join(folder, name))
    .map((path) => `printf '#!/bin/sh\\n' > ${path} && /bin/chmod +x ${path}`)
    .join('\n');

const installed = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');

describe('looking a program up', () => {
  it('finds it on the PATH', () => {
    const redis = program('redis-server');
    const haproxy = program('haproxy');
    expect(findServers(machine())).toEqual({ redis, haproxy });
    expect(said).toEqual([]);
  });

  it('prefers the one the environment names', () => {
    program('chromium');
    const chosen = program('mine/browser');
    expect(findBrowser(machine({ CHROMIUM_PATH: chosen }))).toBe(chosen);
  });

  it('refuses a named one that does not start, though another would', () => {
    program('chromium');
    const chosen = program('mine/browser', 'exit 1');
    expect(() => findBrowser(machine({ CHROMIUM_PATH: chosen }))).toThrow(
      `CHROMIUM_PATH names ${chosen}, which does not start; correct it or unset it.`,
    );
  });

  it('passes over one that does not start', () => {
    program('broken/chromium', 'exit 127');
    const whole = program('whole/chromium');
    const PATH = [join(folder, 'broken'), join(folder, 'whole')].join(delimiter);
    expect(findBrowser(machine({ PATH }))).toBe(whole);
  });

  it('asks each program for its version in its own way', () => {
    const ffmpeg = program('ffmpeg', '[ "$*" = "-version" ]');
    const ffprobe = program('ffprobe', '[ "$*" = "-version" ]');
    const browser = program('google-chrome', '[ "$*" = "--version" ]');
    const redis = program('valkey-server', '[ "$*" = "--version" ]');
    const haproxy = program('haproxy', '[ "$*" = "-v" ]');
    expect(findPrograms(machine())).toEqual({ ffmpeg, ffprobe, browser, redis, haproxy });
  });

  it('takes a browser from its usual place when the PATH has none', () => {
    const usual = program('Applications/Google Chrome');
    expect(findBrowser(machine({}, { places: { browser: [join(folder, 'none'), usual] } }))).toBe(
      usual,
    );
  });
});

describe('installing what is missing', () => {
  it('installs only what is missing with apt-get', () => {
    for (const name of ['ffmpeg', 'ffprobe', 'redis-server', 'haproxy']) program(name);
    installer('apt-get', puts('chromium'));
    expect(findPrograms(machine()).browser).toBe(join(folder, 'chromium'));
    expect(installed()).toEqual([
      'apt-get update -q',
      'apt-get install -y --no-install-recommends chromium',
    ]);
    expect(said).toEqual([
      [
        'The tests need what was not found here: a Chromium browser.',
        'Installing it now, once, with these commands (set CHROMIUM_PATH to use your own instead):',
        `  /usr/bin/env DEBIAN_FRONTEND=noninteractive ${join(folder, 'apt-get')} update -q`,
        `  /usr/bin/env DEBIAN_FRONTEND=noninteractive ${join(folder, 'apt-get')} install -y --no-install-recommends chromium`,
      ].join('\n'),
    ]);
  });

  it('says so before it installs anything', () => {
    installer('brew', puts('redis-server', 'haproxy'));
    const installedBefore: boolean[] = [];
    const say = () => installedBefore.push(existsSync(join(folder, 'log')));
    findServers(machine({}, { say }));
    expect(installedBefore).toEqual([false]);
    expect(installed()).toEqual(['brew install redis haproxy']);
  });

  it('installs nothing, and says nothing, where every program is there', () => {
    for (const name of ['ffmpeg', 'ffprobe', 'chromium', 'redis-server', 'haproxy']) program(name);
    for (const name of ['apt-get', 'npx', 'brew']) installer(name);
    findPrograms(machine());
    expect(existsSync(join(folder, 'log'))).toBe(false);
    expect(said).toEqual([]);
  });

  it('installs the servers of a team in one go', () => {
    installer('apt-get', puts('redis-server', 'haproxy'));
    expect(findServers(machine())).toEqual({
      redis: join(folder, 'redis-server'),
      haproxy: join(folder, 'haproxy'),
    });
    expect(installed().slice(1)).toEqual([
      'apt-get install -y --no-install-recommends redis',
      'apt-get install -y --no-install-recommends haproxy',
    ]);
  });

  it('in CI goes through sudo when not root and sudo asks no password', () => {
    installer('sudo', 'shift; exec "$@"');
    program('true');
    installer('apt-get', puts('chromium'));
    findBrowser(machine({ CI: 'true' }, { isRoot: false }));
    expect(installed()).toContain('apt-get update -q');
  });

  it('leaves apt-get alone when sudo wants a password, and asks Playwright', () => {
    installer('sudo', 'exit 1');
    installer('apt-get');
    installer('npx', puts('chromium'));
    findBrowser(machine({ CI: 'true' }, { isRoot: false }));
    expect(installed()).toEqual(['sudo -n true', 'npx playwright-core install chromium']);
  });

  it('lets sudo ask for a password where the user asked for the programs', () => {
    installer('sudo', 'exec "$@"');
    installer('apt-get', puts('redis-server', 'haproxy'));
    findServers(machine({}, { isRoot: false, asked: true }));
    expect(installed()[0]).toMatch(/^sudo \/usr\/bin\/env .*apt-get update -q$/);
  });

  it('asks Playwright when apt-get has no browser', () => {
    installer('apt-get', 'exit 100');
    installer('npx', puts('chromium'));
    findBrowser(machine());
    expect(installed().at(-1)).toBe('npx playwright-core install --with-deps chromium');
    expect(said).toHaveLength(2);
  });

  it('says in one sentence what is missing, why, and what to run', () => {
    expect(() => findPrograms(machine({ PATH: '' }))).toThrow(
      'Could not find or install ' +
        'a Chromium browser, which plays the recordings in the tests ' +
        '(run "npx playwright-core install --with-deps chromium", or set CHROMIUM_PATH), nor ' +
        'ffmpeg, which decodes the recordings in the tests ' +
        '(run "apt-get install ffmpeg" or "brew install ffmpeg", or set FFMPEG_PATH), nor ' +
        'ffprobe, which measures the recordings in the tests ' +
        '(run "apt-get install ffmpeg" or "brew install ffmpeg", or set FFPROBE_PATH), nor ' +
        'a Redis server, which keeps worlds in the tests ' +
        '(run "apt-get install redis" or "brew install redis", or set REDIS_SERVER_PATH), nor ' +
        'HAProxy, which balances replicas in the tests ' +
        '(run "apt-get install haproxy" or "brew install haproxy", or set HAPROXY_PATH).',
    );
  });
});

describe('on the machine of an ordinary user, who did not ask for programs', () => {
  const user: Partial<Machine> = { isRoot: false };

  it('installs nothing, even where sudo asks no password', () => {
    for (const name of ['sudo', 'apt-get', 'npx', 'brew', 'true']) installer(name);
    const ffmpeg = program('ffmpeg');
    expect(findPrograms(machine({}, user))).toEqual({ ffmpeg });
    expect(existsSync(join(folder, 'log'))).toBe(false);
  });

  it('says in three lines what is missing and what installs it', () => {
    program('ffmpeg');
    program('ffprobe');
    program('chromium');
    findPrograms(machine({}, user));
    expect(said.join('\n').split('\n')).toEqual([
      'Not found here: a Redis server, HAProxy.',
      'Tests that need one of these are left out, and all others run.',
      '"npm run test:setup" installs what is missing; to use your own, set REDIS_SERVER_PATH, HAPROXY_PATH.',
    ]);
  });

  it('names that command where a program is needed', () => {
    expect(() => findBrowser(machine({}, user))).toThrow(/ "npm run test:setup" installs it\.$/);
  });

  it.each([
    [41, {}, '41 tests need a browser, ffmpeg, Redis or HAProxy: npm run test:setup'],
    [
      1,
      { ffmpeg: '', ffprobe: '', redis: '', haproxy: '' },
      '1 test needs a browser: npm run test:setup',
    ],
  ])('counts the %i tests that were left out', (count, found, line) => {
    expect(countLeftOut(count, found)).toBe(line);
  });
});
