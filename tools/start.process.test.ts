import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('SIGTERM to npm start ends the server and frees its port', async () => {
  // Without `prestart`, which would rebuild what other tests are using.
  const options = ['start', '--ignore-scripts', '--silent', '--', '--port', '0', '--json'];
  const npm = spawn('npm', options, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(npm, 'exit');
  onTestFinished(() => void npm.kill('SIGKILL'));
  const [said] = await once(npm.stdout, 'data');
  const { baseUrl } = JSON.parse(String(said));
  const ask = () =>
    fetch(baseUrl).then(
      ({ status }) => status,
      ({ cause }) => cause.code,
    );
  expect(await ask()).toBe(404);
  npm.kill('SIGTERM');
  await ended;
  expect(await ask()).toBe('ECONNREFUSED');
});
