import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { usage } from '../commands/usage.ts';
import { faultSupport } from '../mocks/doors/fault-support.ts';
import { effectTargets } from '../mocks/faults/effects.ts';
import { operations, pathOf } from '../mocks/http/operations.ts';
import { startServing } from './command-line.test-support.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const tables = readme.match(/^\|.*$/gm)?.join('\n') ?? '';

test('the walk from going live to watching works when pasted', async () => {
  const stdout = await runScript(sectionScript('Go live, stop, watch'));
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const answer = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(answer.headers.get('content-type')).toBe('video/mp4');
});

test('the recipe of a fault, and the look into the journal after it, work when pasted', async () => {
  const journal = sectionScript('The journal').replace('> mock.har', '| pick .log.entries.length');
  const printed = await runScript(sectionScript('Faults') + journal);
  expect(printed.split('\n')).toEqual(['1', '503', '200', '1', '1', '2', '']);
});

test('the table of faults and doors is the one that the tests of the doors go by', () => {
  for (const [door, { reset, truncate, drip }] of Object.entries(faultSupport)) {
    const cells = [reset, truncate, drip].map((said) =>
      said === 'refused' ? said : `\`${said}\``,
    );
    expect(tables).toContain(`| ${[door, ...cells].join(' | ')} |`);
  }
});

test('every effect of a fault is in a table', () => {
  for (const effect of Object.keys(effectTargets)) expect(tables).toContain(`\`${effect}\``);
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

/** Runs a script of the README against a server of its own; what it prints. */
async function runScript(script: string): Promise<string> {
  const server = await startServing();
  const pointed = script
    .replace('http://127.0.0.1:4100/api', server.baseUrl)
    .replace('http://127.0.0.1:4100/_mock', server.controlUrl);
  return (await promisify(execFile)('bash', ['-euc', pointed])).stdout;
}

function sectionScript(heading: string): string {
  const section = readme.slice(readme.indexOf(`## ${heading}`));
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}
