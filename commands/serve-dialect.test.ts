import { expect, test } from 'vitest';
import { runCommand, startServing, startTalking } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const dialect = {
  dialect: 2,
  name: 'Acme, staging',
  refusals: { updateStream: { 'field:record:given': 'kept' } },
  behaviours: { 'keys.spelling': { mp4URL: 'mp4Address' }, 'time.ready': 0 },
} as const;

test('the banner names the dialect, its file, and each stated rule that it breaks', async () => {
  const file = temporaryFile('dialect.json', dialect);
  const { said } = await startTalking('--dialect', file);
  expect(said).toContain(`  dialect      Acme, staging (${file})
  It breaks rules that the interface states:
    updateStream: field:record:given is kept.
    It spells mp4URL as mp4Address.
`);
});

test('with --json, stderr tells which stated rules the dialect breaks, and stdout has one line of JSON', async () => {
  const { baseUrl, stop } = await startServing('--dialect', temporaryFile('dialect.json', dialect));
  const { stdout, stderr } = await stop();
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl });
  expect(stderr).toBe(
    'broken by the dialect: updateStream: field:record:given is kept.\nbroken by the dialect: It spells mp4URL as mp4Address.\n',
  );
});

test('recordings are ready when the dialect says so, unless --recording-delay is given', async () => {
  const file = temporaryFile('dialect.json', dialect);
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
    text: '{"dialect":2,"behaviours":{"http.heads":"as-get"}}',
    sentence: 'behaviours: expected known behaviours, perhaps http.head, got "http.heads"',
  },
  {
    text: '{"dialect":2,"refusals":{"setRecord":{"id:unknown":600}}}',
    sentence: 'refusals.setRecord["id:unknown"]: expected a status from 400 to 599, got 600',
  },
  {
    text: '{"dialect":2,"break":{}}',
    sentence:
      'expected known keys (dialect, name, usual, refusals, orders, behaviours, routes), got "break"',
  },
  {
    text: '{"dialect":2,"behaviours":{"keys.spelling":{"mp4Url":"x"}}}',
    sentence:
      'behaviours["keys.spelling"]: expected an object with some of mp4URL, recordingUrl, playbackId, streamKey, createdAt, parentId, got "mp4Url"',
  },
  {
    text: '{"format":"livestream-mock/dialect","version":1,"rows":{}}',
    sentence:
      'version: expected a dialect of version 2, as this release does not read older ones: run `livestream-mock learn` again to write one, got 1',
  },
  {
    text: '{format',
    sentence:
      "the file: expected JSON, got a syntax error: Expected property name or '}' at line 1, column 2",
  },
])('$text is not a dialect: one sentence says where and why', async ({ text, sentence }) => {
  const file = temporaryFile('dialect.json', text);
  expect(await runCommand('serve', '--port', '0', '--dialect', file)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: option --dialect: ${file}: ${sentence}\n`,
  });
});

test('a dialect file that does not exist is an error of one sentence', async () => {
  const { status, stderr } = await runCommand('serve', '--port', '0', '--dialect', 'none.json');
  expect(stderr).toBe(
    'livestream-mock: option --dialect: expected a file, or one of backend-only; none.json: the file does not exist\n',
  );
  expect(status).toBe(3);
});
