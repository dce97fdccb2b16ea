import { expect, test } from 'vitest';
import { handlers } from './adapters/msw/msw.ts';
import { serve } from './adapters/node/node.ts';
import { createTestMock } from './adapters/test-mock.ts';
import { createMock } from './mock.ts';

const names =
  'world, streams, seed, apiKeys, prefix, origin, mediaOrigin, dialect, recordingDelay, now, store, maxRecords, maxImport, progress, faults, unable';

const old = { format: 'livestream-mock/dialect', version: 1, rows: {} } as const;

test.each<{ options: unknown; message: string }>([
  { options: 'demo', message: 'options: expected an object, got "demo"' },
  { options: null, message: 'options: expected an object, got null' },
  { options: ['demo'], message: 'options: expected an object, got an array of 1' },
  {
    options: { wrld: 'demo' },
    message: `options: expected no keys but ${names}, got "wrld"; perhaps world`,
  },
  { options: { x: 1 }, message: `options: expected no keys but ${names}, got "x"` },
  {
    options: { world: 'huge' },
    message: 'world: expected one of empty, demo, crowded, or an exported state, got "huge"',
  },
  {
    options: { streams: 1.5 },
    message: 'streams: expected a whole number from 1 to 100000, got 1.5',
  },
  {
    options: { prefix: '/hls' },
    message: 'prefix: expected a path of its own, got "/hls", which is the mock\'s',
  },
  { options: { prefix: 'api' }, message: 'prefix: expected a path such as /api, got "api"' },
  {
    options: { origin: 'here' },
    message: 'origin: expected a scheme, host and port such as http://127.0.0.1:4100, got "here"',
  },
  {
    options: { mediaOrigin: 'http://replica-1/media' },
    message:
      'mediaOrigin: expected a scheme, host and port such as http://127.0.0.1:4100, got "http://replica-1/media"',
  },
  {
    options: { apiKeys: 'test-mine' },
    message: 'apiKeys: expected an array of texts, got "test-mine"',
  },
  {
    options: { apiKeys: [123_456] },
    message: 'apiKeys: expected an array of texts, got an array of 1',
  },
  {
    options: { apiKeys: ['a b c d e'] },
    message: 'apiKeys: expected at least one key, each of visible ASCII characters',
  },
  {
    options: { apiKeys: [] },
    message: 'apiKeys: expected at least one key, each of visible ASCII characters',
  },
  {
    options: { apiKeys: ['good-key', 'short'] },
    message:
      'apiKeys: expected keys of at least 6 characters, which a journal can tell from other text, got a shorter one',
  },
  {
    options: { maxRecords: 0 },
    message: 'maxRecords: expected a whole number from 1 to 16000000, got 0',
  },
  {
    options: { world: 'demo', maxRecords: 5 },
    message: 'maxRecords: expected at least 15, the streams and sessions of a world demo, got 5',
  },
  {
    options: { world: { version: 1 } },
    message: 'world: version: expected 2, as in a state that this version has exported, got 1',
  },
  { options: { now: 123 }, message: 'now: expected a function, got 123' },
  { options: { progress: 1 }, message: 'progress: expected a function, got 1' },
  {
    options: { store: Promise.resolve() },
    message:
      'store: expected an object with the methods open, append, names, such as await fileStore(path), got a promise; await it',
  },
  {
    options: { store: {} },
    message:
      'store: expected an object with the methods open, append, names, such as await fileStore(path), got an object',
  },
  {
    options: { dialect: { dialect: 2, behaviours: { 'list.nxt': 'not' } } },
    message: 'dialect: behaviours: expected known behaviours, perhaps list.next, got "list.nxt"',
  },
  {
    options: { dialect: { dialect: 2, refusals: { setRecord: { 'field:record:text': 'kepd' } } } },
    message: 'dialect: refusals.setRecord["field:record:text"]: expected a status from 400 to 599',
  },
  {
    options: { dialect: { dialect: 2, refusals: { setRecord: { 'field:name:text': 422 } } } },
    message:
      'dialect: refusals.setRecord["field:name:text"]: expected an entry for an error that the operation has, such as key:none or field:*',
  },
  {
    options: { dialect: old },
    message:
      'dialect: version: expected a dialect of version 2, as this release does not read older ones: run `livestream-mock learn` again to write one, got 1',
  },
  {
    options: { recordingDelay: 'soon' },
    message:
      'recordingDelay: expected a number of milliseconds, or a text such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days, got "soon"',
  },
])('createMock($options) says: $message', ({ options, message }) => {
  expect(() => createMock(options as object)).toThrow(message);
});

test.each([
  {
    options: { prt: 1 },
    message: 'options: expected no keys but port, host, controlOrigins, got "prt"; perhaps port',
  },
  { options: { port: 'a' }, message: 'port: expected a whole number from 0 to 65535, got "a"' },
  {
    options: { port: 65_536 },
    message: 'port: expected a whole number from 0 to 65535, got 65536',
  },
])('serve(mock, $options) says: $message', async ({ options, message }) => {
  await expect(serve(createMock(), options as object)).rejects.toThrow(message);
});

test('handlers(mock, { baseURL }) names the option that was meant', () => {
  expect(() =>
    handlers(createMock(), { baseURL: 'https://livestream.test/api' } as object),
  ).toThrow('options: expected no keys but baseUrl, got "baseURL"; perhaps baseUrl');
});

test('the mock of one test names only the options that it takes', async () => {
  await expect(createTestMock({ wrld: 'demo' } as object)).rejects.toThrow(
    'options: expected no keys but baseUrl, apiKey, world, streams, seed, dialect, recordingDelay, now, faults, got "wrld"; perhaps world',
  );
});
