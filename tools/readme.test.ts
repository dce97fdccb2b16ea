import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { usage } from '../commands/usage.ts';
import { operations, pathOf } from '../mocks/http/operations.ts';
import { startServing } from './command-line.test-support.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const tables = readme.match(/^\|.*$/gm)?.join('\n') ?? '';

test('the walk from going live to watching works when pasted', async () => {
  const server = await startServing();
  const script = sectionScript('Go live, stop, watch')
    .replace('http://127.0.0.1:4100/api', server.baseUrl)
    .replace('http://127.0.0.1:4100/_mock', server.controlUrl);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const answer = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(answer.headers.get('content-type')).toBe('video/mp4');
});

test('every operation is in a table', () => {
  for (const operation of Object.values(operations)) {
    const line = `${operation.method} ${pathOf(operation, '')}`;
    expect([`\`${line}\``, `\`${line}?`]).toSatisfy((forms: string[]) =>
      forms.some((form) => tables.includes(form)),
    );
  }
});

test.each([
  ['commands/serve.ts', 9],
  ['commands/check-options.ts', 14],
])('every option in %s is in a table, and in the help', (file, atLeast) => {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const names = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \{ type/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(atLeast);
  for (const name of names) {
    expect(tables).toMatch(new RegExp(`\`--${name}[\` ]`));
    expect(usage).toMatch(new RegExp(`--${name}[ \\n)]`));
  }
});

test('every option in the help is in a table', () => {
  for (const [option] of usage.matchAll(/--[a-z-]+/g)) {
    expect(tables).toMatch(new RegExp(`\`${option}[\` ]`));
  }
});

function sectionScript(heading: string): string {
  const section = readme.slice(readme.indexOf(`## ${heading}`));
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}
