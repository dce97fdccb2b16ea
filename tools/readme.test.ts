import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

const tables = pages()
  .flatMap(({ text }) => text.match(/^\|.*$/gm) ?? [])
  .join('\n');

test('the recipe for the server in the README lists a recording', async () => {
  const [recipe = ''] = scriptsIn('README.md', 'The server');
  const printed = await runScript(recipe, await startServing());
  expect(JSON.parse(printed.slice(printed.lastIndexOf('[{"id"')))).toMatchObject([
    { recordingStatus: 'ready', sourceSegmentsDuration: 600 },
  ]);
});

test('the walk from going live to watching works when pasted', async () => {
  const server = await startServing();
  const [walk = ''] = scriptsIn('docs/server.md', 'Go live, stop, watch');
  const stdout = await runScript(walk, server);
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const response = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(response.headers.get('content-type')).toBe('video/mp4');
});

test('the recipes for state work when pasted, and the state lasts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [serving = ''] = scriptsIn('docs/state.md', 'Keep the worlds in a file');
  const [snapshot = ''] = scriptsIn('docs/state.md', 'Snapshots');
  const [report = ''] = scriptsIn('docs/state.md', 'A bug report: export and import');
  const start = () => startServing(...serveArguments(serving, folder));
  const first = await start();
  const stdout = await runScript(`${snapshot}\n${report}\necho $ID`, first, folder);
  const printed = stdout.trim().split('\n');
  const id = printed.pop();
  expect(printed).toEqual(promised(snapshot + report));
  await first.stop('SIGKILL');
  const { baseUrl, apiKey } = await start();
  const response = await fetch(`${baseUrl}/stream/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await response.json()).toMatchObject({ name: 'Quay camera' });
});

test.each([
  { page: 'docs/faults.md', heading: 'By the control API' },
  { page: 'docs/server.md', heading: 'Pages of other origins' },
  { page: 'docs/server.md', heading: 'The journal' },
])('the recipe under $heading in $page prints what it says', async ({ page, heading }) => {
  const [recipe = ''] = scriptsIn(page, heading);
  const printed = await runScript(recipe.replace('> mock.har', '>&2'), await startServing());
  expect(printed.trim().split('\n')).toEqual(promised(recipe));
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

/** README.md and what it links to in docs/. */
function pages(): { path: string; text: string }[] {
  const root = new URL('../', import.meta.url);
  const docs = readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`);
  return ['README.md', ...docs].map((path) => ({
    path,
    text: readFileSync(new URL(path, root), 'utf8'),
  }));
}

/** The shell scripts below a heading of a page. */
function scriptsIn(page: string, heading: string): string[] {
  const text = pages().find(({ path }) => path === page)?.text ?? '';
  const section = text.split(/^(?=##+ )/m).find((part) => part.includes(`# ${heading}\n`)) ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
}

/** The lines that a script says it prints, each in a comment behind the command. */
function promised(script: string): string[] {
  return [...script.matchAll(/\S # (.+)$/gm)].map(([, line = '']) => line);
}

async function runScript(script: string, server: Serving, cwd?: string): Promise<string> {
  const here = script
    .replace('http://127.0.0.1:4100/api', server.baseUrl)
    .replace('http://127.0.0.1:4100/_mock', server.controlUrl)
    .replace('http://127.0.0.1:4100', new URL(server.baseUrl).origin);
  const { stdout } = await promisify(execFile)('bash', ['-euc', here], { cwd });
  return stdout;
}

/** The arguments of a line that serves, with its file in `folder`. */
function serveArguments(line: string, folder: string): string[] {
  const [, given = ''] = /^npx livestream-mock serve (.*)\n$/.exec(line) ?? [];
  return given.replace('state.json', join(folder, 'state.json')).split(' ');
}
