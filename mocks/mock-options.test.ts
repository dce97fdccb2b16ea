import { expect, test } from 'vitest';
import { casesOf } from '../tools/cases.test-support.ts';
import { handlers } from './adapters/msw.ts';
import { serve } from './adapters/node/node.ts';
import { createTestMock } from './adapters/test-mock.ts';
import { createMock } from './mock.ts';
import type { Store } from './stores/store.ts';

const names =
  'world, streams, seed, apiKeys, prefix, mediaOrigin, dialect, recordingDelay, now, store, idle, maxRecords, maxImport, variant, faults, unable';

test.each(
  casesOf(`
"demo"
  options: expected an object, got "demo"
["demo"]
  options: expected an object, got an array of 1
{"wrld":"demo"}
  options: expected known keys (${names}), got "wrld", perhaps world
{"world":"huge"}
  world: expected one of empty, demo, crowded, or an exported state, got "huge"
{"prefix":"/hls"}
  prefix: expected a path that the mock does not use itself, got "/hls"
{"prefix":"api"}
  prefix: expected a path such as /api, got "api"
{"mediaOrigin":"here"}
  mediaOrigin: expected an http or https origin such as http://127.0.0.1:4100, without a path or a slash at the end, got "here"
{"mediaOrigin":"ftp://media.example"}
  mediaOrigin: expected an http or https origin such as http://127.0.0.1:4100, without a path or a slash at the end, got "ftp://media.example"
{"apiKeys":["a b c d e"]}
  apiKeys: expected at least one key, each of 6 or more visible ASCII characters, got another value
{"apiKeys":[]}
  apiKeys: expected at least one key, each of 6 or more visible ASCII characters, got another value
{"maxRecords":0}
  maxRecords: expected a whole number from 1 to 16000000, got 0
{"world":"crowded","maxRecords":100}
  maxRecords: expected at least 3000, for the streams and sessions of the world, got 100
{"world":"demo","maxRecords":14}
  maxRecords: expected at least 15, for the streams and sessions of the world, got 14
{"world":{"version":1}}
  world: version: expected 2, as in a state that this version has exported, got 1
{"faults":[${'{"effect":"reset"},'.repeat(100)}{"effect":"reset"}]}
  faults: expected at most 100, got 101
{"now":123}
  now: expected a function, got 123
{"store":{}}
  store: expected an object with the methods open, append, names, such as await fileStore(path), got an object
{"dialect":{"dialect":3,"behaviours":{"list.nxt":"not"}}}
  dialect: behaviours: expected known behaviours, perhaps list.next, got "list.nxt"
{"dialect":{"dialect":3,"errors":{"setRecord":{"field:record":{"txt":422}}}}}
  dialect: errors.setRecord["field:record"].txt: expected an error that setRecord has, perhaps field:record:text, got "field:record:txt"
{"dialect":"livepear"}
  dialect: expected a dialect, or the name of a bundled one (livepeer, backend-only), perhaps livepeer, got "livepear"
{"dialect":{"dialect":2,"refusals":{"setRecord":{"field:name:text":422}}}}
  dialect: refusals.setRecord["field:name:text"]: expected an entry for an error that the operation has, perhaps field:*:text, got "field:name:text"
{"recordingDelay":"soon"}
  recordingDelay: expected a number of milliseconds, or a string such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days, got "soon"
`),
)('createMock(%s) says: %s', (options, message) => {
  expect(() => createMock(JSON.parse(options))).toThrow(message);
});

test('if a store is passed as a promise, the error says so', () => {
  const store = Promise.resolve() as unknown as Store;
  expect(() => createMock({ store })).toThrow(
    'store: expected an object with the methods open, append, names, such as await fileStore(path), got a promise; await it',
  );
});

const ofTest =
  'baseUrl, apiKey, world, streams, seed, dialect, recordingDelay, now, variant, faults';

test.each([
  ['serve(mock, …)', 'port, host, controlOrigins, rtmp, whip, whipHost', 'prt', ', perhaps port'],
  ['handlers(mock, …)', 'baseUrl, evidenceUrl', 'baseURL', ', perhaps baseUrl'],
  ['the mock of one test', ofTest, 'apiKeys', ', perhaps apiKey'],
  ['the mock of one test', ofTest, 'prefix', ''],
] as const)('%s takes %s, and says what is wrong with %s', async (taker, known, name, advice) => {
  const options: object = { [name]: 'x' };
  const take = {
    'serve(mock, …)': () => serve(createMock(), options),
    'handlers(mock, …)': async () => handlers(createMock(), options),
    'the mock of one test': () => createTestMock(options),
  }[taker];
  await expect(take()).rejects.toThrow(
    new TypeError(`options: expected known keys (${known}), got "${name}"${advice}`),
  );
});
