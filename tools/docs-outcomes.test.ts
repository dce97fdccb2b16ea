import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, startServing } from './command-line.test-support.ts';
import { blocksOf, pages, promised, runScript } from './docs.test-support.ts';
import { startServingProcess } from './process.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

/** What stands below a heading of a page. */
function sectionOf(page: string, heading: string): string {
  const text = pages().find(({ path }) => path === page)?.text ?? '';
  return text.split(/^(?=##+ )/m).find((part) => part.includes(`# ${heading}\n`)) ?? '';
}

/** The shell scripts below a heading of a page. */
function scriptsBelow(page: string, heading: string): string[] {
  return blocksOf({ path: page, text: sectionOf(page, heading) }).map(({ source }) => source);
}

test('the recipe for the server in the README lists a recording', async () => {
  const [recipe = ''] = scriptsBelow('README.md', 'The server');
  const { stdout } = await runScript(recipe, await startServing());
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('[{"id"')))).toMatchObject([
    { recordingStatus: 'ready', sourceSegmentsDuration: 600 },
  ]);
});

test('the steps from going live to watching end at an MP4 that can be fetched', async () => {
  const server = await startServing();
  const [walk = ''] = scriptsBelow('docs/server.md', 'Go live, stop, watch');
  const { stdout } = await runScript(walk, server);
  const mp4 = stdout.trim().split(/\s/).at(-1) ?? '';
  const response = await fetch(mp4.slice(mp4.indexOf('http://127')), { method: 'HEAD' });
  expect(response.headers.get('content-type')).toBe('video/mp4');
});

test('the state of the recipes outlives a server that is killed', async () => {
  const [serving = ''] = scriptsBelow('docs/state.md', 'Keep the worlds in a file');
  const [snapshot = ''] = scriptsBelow('docs/state.md', 'Snapshots');
  const [report = ''] = scriptsBelow('docs/state.md', 'A bug report: export and import');
  const file = join(temporaryFolder(), 'state.jsonl');
  const options = serving.trim().replace('npx --no-install livestream-mock serve ', '');
  const start = () => startServingProcess(...options.replace('state.jsonl', file).split(' '));
  const first = await start();
  const { stdout } = await runScript(`${snapshot}\n${report}\necho $ID`, first);
  const printed = stdout.trim().split('\n');
  const id = printed.pop();
  expect(printed).toEqual(promised(snapshot + report));
  await first.stop('SIGKILL');
  const response = await ask(await start(), `GET /stream/${id}`);
  expect(await response.json()).toMatchObject({ name: 'Quay camera' });
});
