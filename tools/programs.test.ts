import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findPrograms, type Machine } from './programs.ts';
import { temporaryFolder } from './temporary.test-support.ts';

const commands = ['chromium', 'ffmpeg', 'ffprobe', 'redis-server', 'haproxy'];

/** A machine of root whose only programs are these, and an apt-get that logs its arguments. */
function machineWith(names: readonly string[], aptGet = '') {
  const folder = temporaryFolder();
  const put = (name: string, script = ''): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  for (const name of names) put(name);
  const log = join(folder, 'log');
  put('apt-get', `echo "$*" >> ${log}\ncd ${folder}\n${aptGet}`);
  const installed = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const machine: Machine = { env: { PATH: folder }, mayInstall: true, isRoot: true };
  return { folder, put, installed, machine };
}

test('programs are found on the PATH, and nothing is installed', () => {
  const { machine, folder, installed } = machineWith([...commands, 'google-chrome']);
  expect(findPrograms(machine)).toEqual({
    browser: join(folder, 'chromium'),
    ffmpeg: join(folder, 'ffmpeg'),
    ffprobe: join(folder, 'ffprobe'),
    redis: join(folder, 'redis-server'),
    haproxy: join(folder, 'haproxy'),
  });
  expect(installed()).toEqual([]);
});

test('the one that the environment names is preferred, and must exist', () => {
  const { machine, put } = machineWith(commands);
  const chosen = put('mine/browser');
  const env = { ...machine.env, CHROMIUM_PATH: chosen };
  expect(findPrograms({ ...machine, env }).browser).toBe(chosen);
  expect(() => findPrograms({ ...machine, env: { ...env, FFMPEG_PATH: '/none' } })).toThrow(
    'FFMPEG_PATH names /none, which does not exist; correct it or unset it.',
  );
});

test.each([true, false])(
  'only what is missing is installed, where root: %s, else by sudo',
  (isRoot) => {
    const copies = '/bin/cp ffmpeg chromium\n/bin/cp ffmpeg haproxy';
    const there = ['ffmpeg', 'ffprobe', 'valkey-server'];
    const { machine, folder, put, installed } = machineWith(there, copies);
    if (!isRoot) put('sudo', 'exec "$@"');
    expect(findPrograms({ ...machine, isRoot }).browser).toBe(join(folder, 'chromium'));
    expect(installed()).toEqual([
      'update -q',
      'install -y --no-install-recommends chromium haproxy',
    ]);
  },
);

test('nothing is installed unasked on the machine of an ordinary user', () => {
  const { machine, installed } = machineWith(['ffmpeg', 'ffprobe']);
  const found = findPrograms({ ...machine, mayInstall: false, isRoot: false });
  expect(found).toMatchObject({ browser: undefined, redis: undefined });
  expect(installed()).toEqual([]);
});

test('what cannot be installed is named, with what to do', () => {
  const { machine } = machineWith(['ffmpeg', 'ffprobe', 'redis-server'], 'exit 100');
  expect(() => findPrograms(machine)).toThrow(
    'Could not find or install a Chromium browser, HAProxy. "npm run test:setup" installs it ' +
      'with apt-get; or set CHROMIUM_PATH, HAPROXY_PATH.',
  );
});
