import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const tag = 'livestream-mock:nightly';

function docker(...args: string[]): string {
  return execFileSync('docker', args, { cwd: root, encoding: 'utf8' }).trim();
}

const dockerWorks = spawnSync('docker', ['info']).status === 0;

test.runIf(dockerWorks)('the image judges a mock, and is healthy while it serves one', async () => {
  docker('build', '--tag', tag, '.');
  expect(docker('run', '--rm', tag, 'check', '--mock', '--quiet')).toMatch(/^Conformant/);
  const store = ['serve', '--store', 'redis://127.0.0.1:1'];
  const { stderr } = spawnSync('docker', ['run', '--rm', tag, ...store], { encoding: 'utf8' });
  expect(stderr).toContain('expected a Redis that responds at redis://127.0.0.1:1');
  const container = docker('run', '--rm', '--detach', tag);
  onTestFinished(() => void docker('kill', container));
  const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', container);
  await expect.poll(health, { interval: 1_000 }).toBe('healthy');
});
