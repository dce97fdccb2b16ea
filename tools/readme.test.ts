import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startServing } from './command-line.test-support.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the walk from going live to watching works when pasted', async () => {
  const server = await startServing();
  onTestFinished(() => server.stop().then(() => {}));
  const script = sectionScript('Go live, stop, watch')
    .replace('http://127.0.0.1:4100/api', server.baseUrl)
    .replace('http://127.0.0.1:4100/_mock', server.controlUrl);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const answer = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(answer.headers.get('content-type')).toBe('video/mp4');
});

test.each([
  ['mocks/http/operations.ts', /path: '(\/[^']+)'/g],
  ['commands/serve.ts', /^ {2}'?([a-z-]+)'?: \{ type/gm],
])('every operation and option of %s is documented', (file, pattern) => {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const names = [...source.matchAll(pattern)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    expect(readme).toContain(name.startsWith('/') ? name : `--${name}`);
  }
});

function sectionScript(heading: string): string {
  const section = readme.slice(readme.indexOf(`## ${heading}`));
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}
