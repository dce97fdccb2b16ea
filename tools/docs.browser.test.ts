import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformWithOxc } from 'vite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { parseRoutes } from '../fidelity/learn/routes-file.ts';
import { startRedis } from '../mocks/stores/redis.test-support.ts';
import { openBrowser } from './browser.test-support.ts';
import { ask, freePort, type Serving, startServing } from './command-line.test-support.ts';
import { type Block, blocksOf, pages, promised, runScript } from './docs.test-support.ts';
import { runPlaywright, writePlaywrightSettings } from './playwright.test-support.ts';
import { program } from './program.test-support.ts';
import { temporaryFile, temporaryFolder } from './temporary.test-support.ts';
import { fillUserFolder, userFolder } from './user-folder.test-support.ts';
import { runSpecs } from './vitest.test-support.ts';
import { openTab, serveApp } from './web-app.test-support.ts';

const root = resolve(import.meta.dirname, '..');
const peers = ['@msw/data', '@playwright/test', 'livepeer', 'msw', 'vitest'];
const blocks = pages().flatMap(blocksOf);
/** Milliseconds. The first block of a runner waits for all the others. */
const longest = 240_000;

/** How blocks are run: the first row whose language and pattern match a block runs it. */
const runners = [
  { language: 'ts', pattern: /defineConfig<MockFixtures>/, run: sharesOptions },
  { language: 'ts', pattern: /'livestream-mock\/playwright'/, run: passesUnderPlaywright },
  { language: 'ts', pattern: /'livestream-mock\/vitest'/, run: passesUnderVitest },
  { language: 'ts', pattern: /'msw\/browser'/, run: startsInBrowser },
  { language: 'ts', pattern: /console\.log\(.*\); \/\/ /, run: printsInNode },
  { language: 'sh', pattern: /^npm pack /, run: namesTarball },
  { language: 'sh', pattern: /^npm /, run: namesScripts },
  { language: 'sh', pattern: /^npx --no-install livestream-mock serve.*\n$/m, run: serves },
  {
    language: 'sh',
    pattern: /^npx --no-install livestream-mock compare .*--har/s,
    run: replaysArchive,
  },
  {
    language: 'sh',
    pattern: /^(printf .*\n)?npx --no-install livestream-mock (learn|compare) /,
    run: findsDialect,
  },
  {
    language: 'sh',
    pattern: /^(\w+=\S+ )?npx --no-install livestream-mock check /,
    run: runsCommands,
  },
  { language: 'sh', pattern: /^npx --no-install livestream-mock check-client /, run: runsTests },
  { language: 'sh', pattern: /^\w+=|^curl /, run: printsAgainstServer },
  { language: 'js', pattern: /^\/\/ in the console\n/, run: runsInConsole },
  { language: 'js', pattern: /^export default .*LIVESTREAM_VARIANT/s, run: passesVariantOn },
  { language: 'json', pattern: /^/, run: isJson },
  { language: 'text', pattern: /^GET \//, run: namesRoutes },
  { language: 'haproxy', pattern: /^/, run: configuresHaproxy },
  { language: 'yaml', pattern: /^services:/, run: servesWithCompose },
] as const;

test.each(blocks)(
  'the $language block in $page, line $line, works',
  async (block) => {
    const runner = runnerOf(block);
    expect(runner, 'no runner above fits this block').toBeDefined();
    await runner?.run(block);
  },
  longest,
);

function runnerOf({ language, source }: Block): (typeof runners)[number] | undefined {
  return runners.find((runner) => runner.language === language && runner.pattern.test(source));
}

/** Where blocks for a test runner are written as spec files, in a folder for each runner. */
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
// Media plays in real time, while the other blocks run.
beforeAll(() => {
  const ended = Promise.allSettled([underPlaywright(), underVitest()]);
  return async () => {
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
});

const underPlaywright = once(() => {
  const own = writeSpecs('playwright', blocksFor(passesUnderPlaywright));
  writePlaywrightSettings(own, program('browser'));
  return runPlaywright(own, { output: join(own, 'test-results') });
});

const underVitest = once(() => runSpecs(writeSpecs('vitest', blocksFor(passesUnderVitest))));

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function passesUnderPlaywright(block: Block): Promise<void> {
  expectPassed(await underPlaywright(), block);
}

async function passesUnderVitest(block: Block): Promise<void> {
  expectPassed(await underVitest(), block);
}

function expectPassed(
  results: readonly { readonly file: string; readonly passed: boolean }[],
  block: Block,
): void {
  const own = results.filter(({ file }) => file === fileOf(block));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ passed }) => !passed)).toEqual([]);
}

function blocksFor(run: (block: Block) => Promise<void>): Block[] {
  return blocks.filter((block) => runnerOf(block)?.run === run);
}

/** Writes blocks as files into their own folder, and returns the folder. */
function writeSpecs(name: string, specs: readonly Block[]): string {
  const own = join(folder, name);
  mkdirSync(own);
  const files = specs.map((block) => [fileOf(block), block.source]);
  fillUserFolder(own, peers, Object.fromEntries(files));
  return own;
}

function fileOf({ page, line }: Block): string {
  return `${page.replaceAll('/', '-')}-${line}.spec.ts`;
}

async function startsInBrowser({ source }: Block): Promise<void> {
  const app = await serveApp(source);
  onTestFinished(() => app.close());
  const { complaints } = await openTab(await (await openBrowser()).newContext(), app);
  expect(complaints).toEqual([]);
}

/** Runs lines in the console of a page whose app is the TypeScript block before them. */
async function runsInConsole({ page, line, source }: Block): Promise<void> {
  const before = blocks.filter((block) => block.page === page && block.line < line);
  const app = await serveApp(before.findLast(({ language }) => language === 'ts')?.source ?? '');
  onTestFinished(() => app.close());
  const tab = await openTab(await (await openBrowser()).newContext(), app);
  await tab.page.evaluate(`(async () => { ${source} })()`);
  const seconds = await tab.page.evaluate('livestream.sessions()[0].sourceSegmentsDuration');
  // The clock also runs.
  expect(Math.floor(Number(seconds) / 60)).toBe(10);
  expect(tab.complaints).toEqual([]);
}

/** Settings of Playwright, which smoke compiles. */
async function sharesOptions({ source }: Block): Promise<void> {
  const { code } = await transformWithOxc(source, 'playwright.config.ts');
  const own = userFolder(peers, 'playwright.config.js', code);
  const print = `console.log((await import('./playwright.config.js')).default.use.livestream.baseUrl)`;
  const options = ['--input-type=module', '--eval', print];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: own });
  expect(stdout).toBe('https://livestream.test/api\n');
}

async function printsInNode({ source }: Block): Promise<void> {
  const { code } = await transformWithOxc(source, 'block.ts');
  const folder = userFolder(peers, 'block.js', code);
  const { stdout } = await promisify(execFile)(process.execPath, ['block.js'], { cwd: folder });
  const promised = [...source.matchAll(/console\.log\(.*\); \/\/ (.+)/g)].map(([, text]) => text);
  expect(stdout.trim().split('\n')).toEqual(promised);
}

function namesScripts({ source }: Block): void {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = [...source.matchAll(/npm (?:run )?(?!ci\b)([\w:]+)/g)].map(([, name]) => name);
  expect(names).not.toEqual([]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
}

/** A nightly test installs it. */
function namesTarball({ source }: Block): void {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(source).toContain(`/${name}-${version}.tgz`);
}

/** The last JSON block of docs/dialects.md, which shows every part of a dialect. */
function shownDialect(): string {
  const block = blocks.findLast(
    ({ page, language }) => page === 'docs/dialects.md' && language === 'json',
  );
  return block?.source ?? '';
}

async function serves({ source }: Block): Promise<void> {
  const [, given = ''] = /serve(.*)\n$/.exec(source) ?? [];
  const options = given
    .replace('state.jsonl', join(temporaryFolder(), 'state.jsonl'))
    .replace('dialect.json', () => temporaryFile('dialect.json', shownDialect()))
    .replace('redis://127.0.0.1:6379', given.includes('redis:') ? (await startRedis()).url : '')
    .replace(/--port \d+/, '')
    // It would point at the port in the docs.
    .replace(/--media-origin \S+/, '')
    .replace(/--rtmp\b/, '--rtmp=0')
    .split(' ');
  const server = await startServing(...options.filter((option) => option !== ''));
  expect(await ask(server, 'GET /stream', String(server.apiKey))).toMatchObject({ status: 200 });
}

/** Commands that run the build, with the addresses and the key of a server. */
function commandsFor({ baseUrl, controlUrl, apiKey }: Serving, source: string): string {
  return source
    .replaceAll('npx --no-install livestream-mock', `node ${join(root, 'dist/cli.js')}`)
    .replace(/--base-url \S+/, `--base-url ${baseUrl} --api-key ${apiKey}`)
    .replace(/--control-url \S+/, `--control-url ${controlUrl}`);
}

/** Runs commands against a served mock instead of the implementation that they name. */
async function runsCommands({ source }: Block): Promise<void> {
  const server = await startServing('--recording-delay', '0');
  const sessions = await ask(server, 'GET /session?record=1');
  const [{ parentId }] = (await sessions.json()) as [{ parentId: string }];
  const script = commandsFor(server, source).replace(
    '--recorded-stream ID',
    `--recorded-stream ${parentId}`,
  );
  // With a given stream some requirements are blocked, so the verdict is incomplete, with status 2.
  const expected = source.includes('--recorded-stream') ? 2 : 0;
  const { stdout } = await runScript(`(${script.trim()}) || [ $? -eq ${expected} ]`, server);
  expect(stdout).not.toBe('');
}

/** Runs the tests of an app that lists streams, with one variant, in place of the tests that the command names. */
async function runsTests({ source }: Block): Promise<void> {
  const folder = temporaryFolder();
  const list = `curl -sf "\${API_URL:-$LIVESTREAM_BASE_URL}/stream" -H 'authorization: Bearer test-demo'`;
  writeFileSync(join(folder, 'run-tests.sh'), list);
  const port = await freePort();
  const script = source
    .replace('npx --no-install livestream-mock', `node ${join(root, 'dist/cli.js')}`)
    .replace('--port 4199', `--port ${port}`)
    .replace(/-- .*\n$/, `--only oldest-first -- sh ${join(folder, 'run-tests.sh')}\n`);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
  expect(stdout).toContain('Survives 1 of 1 variant that its tests met');
}

/** Runs learn or compare against a served mock with another dialect, which is in `dialect.json`. */
async function findsDialect({ source }: Block): Promise<void> {
  const behaviours = { 'http.json-type': 'application/json', 'time.ready': 0 };
  const file = temporaryFile('dialect.json', { dialect: 3, name: 'another service', behaviours });
  // Without `--api-key`, a server accepts any key that begins with `test-`, which is a different behaviour.
  const apiKey = 'test-service';
  const server = await startServing('--dialect', file, '--api-key', apiKey);
  const script = commandsFor({ ...server, apiKey }, source)
    .replace(/(--dialect|--check) dialect.json/, `$1 ${file}`)
    .replace(/--time \w+/, '--time 3s');
  // Without the dialect, the mock and the service differ.
  const expected = /compare (?!.*--dialect)/s.test(source) ? 1 : 0;
  const { stdout } = await runScript(`(${script.trim()}) || [ $? -eq ${expected} ]`, server);
  expect(stdout).toContain(expected === 1 ? 'differs' : '');
}

/** Compares a served mock with the archive that the test on the page wrote. */
async function replaysArchive({ source }: Block): Promise<void> {
  await underPlaywright();
  const output = join(folder, 'playwright/test-results');
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' });
  const archive = files.find((file) => file.endsWith('livestream.har')) ?? '';
  const server = await startServing('--recording-delay', '0');
  const script = commandsFor(server, source).replace('livestream.har', join(output, archive));
  const { stdout } = await runScript(script, server);
  expect(stdout).toMatch(/ 1 operation in 1 sequence.*No difference was found/s);
}

async function printsAgainstServer(block: Block): Promise<void> {
  const { source } = block;
  const script = /^\w+=/.test(source) ? source : blockBefore(block) + source;
  const withEncoder = script.includes('ffmpeg ');
  if (withEncoder) program('ffmpeg');
  const server = await startServing(...(withEncoder ? ['--rtmp', '0'] : []));
  const { stdout } = await runScript(script, server);
  const lines = promised(script);
  // A block that promises nothing prints responses, and none of them may be a refusal.
  if (lines.length > 0) expect(stdout.trim().split('\n')).toEqual(lines);
  else expect(stdout).not.toContain('"errors":');
}

/** A script that sets no variables uses those of the script before it. */
function blockBefore({ page, line }: Block): string {
  const before = blocks.filter((block) => block.page === page && block.line < line);
  return before.findLast(({ source }) => /^\w+=/.test(source))?.source ?? '';
}

async function configuresHaproxy({ source }: Block): Promise<void> {
  const file = join(temporaryFolder(), 'haproxy.cfg');
  writeFileSync(file, source);
  await promisify(execFile)(program('haproxy'), ['-c', '-f', file]);
}

/** Serves the mocks of a Compose file in this process, with a Redis of its own. */
async function servesWithCompose(block: Block): Promise<void> {
  const { services } = parse(block.source) as { services: Record<string, ComposeService> };
  const mocks = Object.values(services).filter(({ image }) => image === 'livestream-mock');
  expect(mocks.length).toBeGreaterThan(0);
  for (const { command, depends_on: needed } of mocks) {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(needed)));
    const line = `npx --no-install livestream-mock ${command.join(' ')}\n`
      .replace('--host 0.0.0.0 ', '')
      .replace('//valkey:', '//127.0.0.1:');
    await serves({ ...block, source: line });
  }
}

interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly depends_on: Readonly<Record<string, unknown>>;
}

/** The settings of a build, which hand a page the variant in the environment. */
async function passesVariantOn({ source }: Block): Promise<void> {
  const file = join(temporaryFolder(), 'settings.mjs');
  writeFileSync(file, source);
  const print = `console.log(JSON.stringify((await import('${file}')).default))`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', print],
    { env: { ...process.env, LIVESTREAM_VARIANT: 'oldest-first' } },
  );
  expect(stdout).toContain('oldest-first');
}

function isJson({ source }: Block): void {
  expect(() => JSON.parse(source)).not.toThrow();
}

function namesRoutes({ source }: Block): void {
  const routes = parseRoutes(source, 'https://staging.example.test/api');
  expect(routes).toHaveLength(source.trim().split('\n').length);
}
