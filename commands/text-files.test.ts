import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateText } from '../mocks/http/request.test-support.ts';
import { createMock } from '../mocks/mock.ts';
import { runCommand } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const exported = stateText((await createMock({ world: 'demo' }).world()).exportState());
const dialect = '{\n"dialect": 2\n}';

/** Commands that read their files, and then end because there is nothing at the address. */
const serve = ['serve', '--port', '0', '--host', '192.0.2.1'];
const [check, learn, compare] = (['check', 'learn', 'compare'] as const).map((command) => [
  ...[command, '--base-url', 'http://127.0.0.1:1/api', '--api-key', 'test-a'],
]) as [string[], string[], string[]];
const learnAll = [...learn, '--out', '/dev/null'];

/** Every option that takes a text file, and what may be in it. */
const fileOptions: readonly (readonly [command: string[], option: string, content: string])[] = [
  [serve, 'world', exported],
  [serve, 'dialect', dialect],
  [check, 'deviations', '{\n"deviations": []\n}'],
  [learnAll, 'routes', 'GET /user/me\nGET /x'],
  [learnAll, 'routes', '{\n"paths": {"/x": {"get": {}}}\n}'],
  [learn, 'check', dialect],
  [compare, 'dialect', dialect],
  [compare, 'known', '{\n"known": []\n}'],
  [compare, 'with', '{\n"baseUrl": "http://127.0.0.1:1/b", "apiKey": "b"\n}'],
  [compare, 'har', '{\n"log": {"entries": [], "_livestream": {"version": 1}}\n}'],
];

/** What a command says if the file of an option has these bytes. */
async function said(command: string[], option: string, bytes: string | Uint8Array) {
  const file = temporaryFile('file');
  writeFileSync(file, bytes);
  const { stdout, stderr } = await runCommand(...command, `--${option}`, file);
  return (stdout + stderr).replaceAll(file, 'FILE');
}

test.each(fileOptions)(
  '%s reads the file of --%s with the byte order mark, line breaks and blank lines of Windows',
  async (command, option, content) => {
    const plain = await said(command, option, content);
    expect(plain).not.toContain('FILE: ');
    const asOnWindows = `\ufeff${content.replaceAll('\n', '\r\n')}\r\n\r\n \r\n`;
    expect(await said(command, option, asOnWindows)).toBe(plain);
  },
);

test.each(fileOptions)('%s refuses UTF-16 for --%s', async (command, option, content) => {
  const bytes = Buffer.from(`\ufeff${content}`, 'utf16le');
  expect(await said(command, option, bytes)).toMatch(/FILE: (line 1: )?expected UTF-8, got UTF-16/);
});

test.each(fileOptions.filter(([, , content]) => content === dialect))(
  '%s refuses what is nested too deeply for --%s',
  async (command, option) => {
    const deep = `{"dialect":2,"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const expected = 'FILE: expected at most 1100 levels of nesting, got more';
    expect(await said(command, option, deep)).toContain(expected);
  },
);

test('a syntax error is shown with its line, but not from a file that has a key', async () => {
  const known = '{\n  "known": [\n    {"difference": "a" "reason": "b"}\n  ]\n}';
  expect(await said(compare, 'known', known)).toContain(
    'FILE: expected JSON, got a syntax error in line 3, column 24 (a comma or } belongs there): {"difference": "a" "reason": "b"}\n',
  );
  const second = '{"baseUrl": "http://a.test", "apiKey": "secret-key" "controlUrl": ""}';
  expect(await said(compare, 'with', second)).toMatch(
    /column 53 \(a comma or } belongs there\)\n$/,
  );
});

test('control characters of a file are shown as escapes', async () => {
  const content = '{"dialect": 2, "name": "\u009b31m\u202e"}';
  expect(await said(serve, 'dialect', content)).toContain('got "\\u009b31m\\u202e"');
});
