import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { usage } from '../commands/usage.ts';
import { faultSupport } from '../mocks/adapters/fault-support.ts';
import { effectNames } from '../mocks/faults/effects/effects.ts';
import { operationNames, operations, pathOf } from '../mocks/http/routes.ts';
import { type Serving, startServing } from './command-line.test-support.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const tables = readme.match(/^\|.*$/gm)?.join('\n') ?? '';

test('the walk from going live to watching works when pasted', async () => {
  const server = await startServing();
  const [walk = ''] = sectionScripts('Go live, stop, watch');
  const stdout = await runScript(walk, server);
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const answer = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(answer.headers.get('content-type')).toBe('video/mp4');
});

test('the recipe for keeping state works when pasted, and its state lasts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [serving = '', recipe = ''] = sectionScripts('Keeping state');
  const start = () => startServing(...serveArguments(serving, folder));
  const [variables = ''] = sectionScripts('Go live, stop, watch').map((script) =>
    script.slice(0, script.indexOf('\n\n')),
  );
  const first = await start();
  const stdout = await runScript(`${variables}\n${recipe}\necho $ID`, first, folder);
  const [name, operation, id] = stdout.trim().split('\n');
  expect([name, operation]).toEqual(['Quay camera', 'retrieveStream']);
  await first.stop('SIGKILL');
  const { baseUrl, apiKey } = await start();
  const answer = await fetch(`${baseUrl}/stream/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await answer.json()).toMatchObject({ name: 'Quay camera' });
});

test('the recipe of a fault, and the look into the journal after it, work when pasted', async () => {
  const [fault = ''] = sectionScripts('Faults');
  const [journal = ''] = sectionScripts('The journal');
  const both = fault + journal.replace('> mock.har', '| pick .log.entries.length');
  const printed = await runScript(both, await startServing());
  expect(printed.split('\n')).toEqual(['1', '503', '200', '1', '1', '2', '']);
});

test('the recipe of safety prints what the README says', async () => {
  const [recipe = ''] = sectionScripts('Safety');
  const printed = await runScript(recipe, await startServing());
  expect(printed).toBe('200\n403\n403\n');
});

test('the table of faults by integration says what the tests of the integrations check', () => {
  for (const [name, { reset, partial, slow }] of Object.entries(faultSupport)) {
    const cells = [reset, partial, slow].map((said) => (said === 'refused' ? said : `\`${said}\``));
    expect(tables).toContain(`| ${[name, ...cells].join(' | ')} |`);
  }
});

test('every effect of a fault is in a table', () => {
  for (const effect of effectNames) expect(tables).toContain(`\`${effect}\``);
});

test('every operation is in a table', () => {
  for (const name of operationNames) {
    const line = `${operations[name].method} ${pathOf(name, '')}`;
    expect([`\`${line}\``, `\`${line}?`]).toSatisfy((forms: string[]) =>
      forms.some((form) => tables.includes(form)),
    );
  }
});

test.each([
  ['commands/serve.ts', 11],
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

/** The shell scripts of a section. */
function sectionScripts(heading: string): string[] {
  const [section = ''] = readme.slice(readme.indexOf(`\n## ${heading}\n`) + 1).split(/\n(?=## )/);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
}

async function runScript(script: string, server: Serving, cwd?: string): Promise<string> {
  const here = script
    .replace('http://127.0.0.1:4100/api', server.baseUrl)
    .replace('http://127.0.0.1:4100/_mock', server.controlUrl);
  const { stdout } = await promisify(execFile)('bash', ['-euc', here], { cwd });
  return stdout;
}

/** The arguments of a line that serves, with its file in `folder`. */
function serveArguments(line: string, folder: string): string[] {
  const [, given = ''] = /^npx livestream-mock serve (.*)\n$/.exec(line) ?? [];
  return given.replace('state.json', join(folder, 'state.json')).split(' ');
}
