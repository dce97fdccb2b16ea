import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPrograms, type Machine } from './programs.ts';
import { temporaryFolder } from './temporary.test-support.ts';

const commands = ['chromium', 'ffmpeg', 'ffprobe', 'redis-server', 'haproxy', 'firefox-esr'];

/** A machine of root that has only these programs, and an apt-get that logs its arguments. */
function machineWith(names: readonly string[], aptGet = '') {
  const folder = temporaryFolder();
  const put = (name: string, script = ''): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of names) put(name);
  const log = join(folder, 'log');
  put('apt-get', `echo "$*" >> ${log}\ncd ${folder}\n${aptGet}`);
  const installed = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const machine: Machine = { env: { PATH: folder }, mayInstall: true, isRoot: true };
  return { folder, installed, machine };
}

test('programs are found on the PATH, or at the path that the environment names, and nothing is installed', () => {
  const { machine, folder, installed } = machineWith([...commands, 'google-chrome']);
  const env = { ...machine.env, FFMPEG_PATH: '/mine/ffmpeg' };
  expect(findPrograms({ ...machine, env })).toEqual({
    browser: join(folder, 'chromium'),
    firefox: join(folder, 'firefox-esr'),
    ffmpeg: '/mine/ffmpeg',
    ffprobe: join(folder, 'ffprobe'),
    redis: join(folder, 'redis-server'),
    haproxy: join(folder, 'haproxy'),
  });
  expect(installed()).toEqual([]);
});

test('only missing programs are installed', () => {
  const copies = '/bin/cp ffmpeg chromium\n/bin/cp ffmpeg haproxy';
  const there = ['firefox', 'ffmpeg', 'ffprobe', 'valkey-server'];
  const { machine, folder, installed } = machineWith(there, copies);
  expect(findPrograms(machine).browser).toBe(join(folder, 'chromium'));
  expect(installed()).toEqual(['update -q', 'install -y --no-install-recommends chromium haproxy']);
});

test('nothing is installed unasked on the machine of an ordinary user', () => {
  const { machine, installed } = machineWith(['ffmpeg', 'ffprobe']);
  const found = findPrograms({ ...machine, mayInstall: false, isRoot: false });
  expect(found).toMatchObject({ browser: undefined, redis: undefined });
  expect(installed()).toEqual([]);
});

test('a message names what cannot be installed, and says what to do', () => {
  const { machine } = machineWith(['firefox', 'ffmpeg', 'ffprobe', 'redis-server'], 'exit 100');
  expect(() => findPrograms(machine)).toThrow(
    'Could not find or install browser, haproxy. "npm run test:setup" installs it ' +
      'with apt-get; or set CHROMIUM_PATH, HAPROXY_PATH.',
  );
});
