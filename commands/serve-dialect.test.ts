import { expect, test } from 'vitest';
import { runCommand, startServing, startTalking } from '../tools/command-line.test-support.ts';
import { writeDialect } from '../tools/dialect-file.test-support.ts';

const dialect = {
  format: 'livestream-mock/dialect',
  version: 1,
  name: 'Acme, staging',
  rows: { 'time.ready': 0 },
  breaks: { 'key-spelling': { mp4URL: 'mp4Address' }, 'update-switches-record': true },
} as const;

test('the banner names the dialect, its file, and each stated rule that it breaks', async () => {
  const file = writeDialect(dialect);
  const { said } = await startTalking('--dialect', file);
  expect(said).toContain(`  dialect      Acme, staging (${file})
  It breaks rules that the interface states:
    It spells mp4URL as mp4Address.
    PATCH /stream/{id} switches recording.
`);
});

test('with --json, the dialect is named on stderr, and stdout has one line of JSON', async () => {
  const { baseUrl, stop } = await startServing('--dialect', writeDialect(dialect));
  const { stdout, stderr } = await stop();
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl });
  expect(stderr).toContain('dialect      Acme, staging');
  expect(stderr).toContain('It spells mp4URL as mp4Address.');
});

test('recordings are ready when the dialect says so, unless --recording-delay is given', async () => {
  const file = writeDialect(dialect);
  const statusWith = async (...args: string[]): Promise<unknown> => {
    const server = await startServing('--world', 'empty', '--dialect', file, ...args);
    const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
    const send = async (url: string, body: object): Promise<Record<string, unknown>> =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    const { id } = await send(`${server.baseUrl}/stream`, { name: 'a', record: true });
    const start = `${server.controlUrl}/streams/${id}/start`;
    return (await send(start, { duration: 4 }))['recordingStatus'];
  };
  expect(await statusWith()).toBe('ready');
  expect(await statusWith('--recording-delay', '1h')).toBe('waiting');
});

test.each([
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{"http.heads":"as-get"}}',
    sentence: 'rows: expected known rows, perhaps http.head, got "http.heads"',
  },
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{"http.head":{"status":500}}}',
    sentence: 'rows["http.head"].status: expected a status from 400 to 499, got 500',
  },
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{},"break":{}}',
    sentence: 'expected no keys but format, version, name, rows, breaks, got "break"',
  },
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{},"breaks":{"key-spelling":{"mp4Url":"x"}}}',
    sentence:
      'breaks["key-spelling"]: expected an object whose keys are some of mp4URL, recordingUrl, playbackId, streamKey, createdAt, parentId, got "mp4Url"',
  },
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{},"breaks":{"default-profiles":1}}',
    sentence: 'breaks["default-profiles"]: expected true, got 1',
  },
  { text: '{format', sentence: 'the file: expected JSON, got "format" at line 1, column 2' },
])('$text is not a dialect: one sentence says where and why', async ({ text, sentence }) => {
  const file = writeDialect(text);
  expect(await runCommand('serve', '--port', '0', '--dialect', file)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: option --dialect: ${file}: ${sentence}\n`,
  });
});

test('a dialect file that does not exist is an error of one sentence', async () => {
  const { status, stderr } = await runCommand('serve', '--port', '0', '--dialect', 'none.json');
  expect(stderr).toBe('livestream-mock: option --dialect: none.json: the file does not exist\n');
  expect(status).toBe(3);
});
