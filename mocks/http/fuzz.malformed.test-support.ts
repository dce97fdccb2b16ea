import fc from 'fast-check';
import { goodHeaders, type RequestPlan } from './fuzz.test-support.ts';

/** Often one of a few telling values, sometimes anything. */
function mostly(common: readonly string[], rare: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...common) },
    { weight: 1, arbitrary: rare },
  );
}

const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '%',
    '%ff',
    '%2F',
    '%00',
    '%u0041',
    '..',
    '%2e%2e',
    '.',
    '//',
    '\\',
    '#',
    '?',
    ' ',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '%C3%28',
    '%ED%A0%80',
    '😀',
    '\ud800',
    ';a=b',
    '{id}',
  ),
  fc.integer({ min: 500, max: 9_000 }).map((length) => 'x'.repeat(length)),
);

const routes = [
  ...['GET api/stream', 'POST api/stream', 'POST api/stream', 'POST api/stream'],
  ...['GET api/stream/STREAM', 'GET api/stream/SESSION', 'DELETE api/stream/STREAM'],
  ...['PATCH api/stream/STREAM/record', 'PATCH api/stream/STREAM/record'],
  ...['PATCH api/stream/SESSION/record', 'DELETE api/stream/SESSION'],
  ...['GET api/stream/STREAM/sessions', 'GET api/session', 'GET api/session/SESSION'],
  ...['GET openapi.json', 'GET _mock/clock', 'POST _mock/clock', 'GET _mock/state'],
  ...['PUT _mock/state', 'POST _mock/reset', 'POST _mock/streams/STREAM/start'],
  ...['POST _mock/streams/STREAM/start', 'POST _mock/streams/STREAM/stop'],
  ...['GET recordings/SESSION/index.m3u8', 'GET recordings/SESSION/source.mp4'],
  ...['GET recordings/SESSION/0/index.m3u8', 'GET recordings/SESSION/source/0.m4s'],
  ...['GET hls/PLAYBACK/index.m3u8', 'GET hls/PLAYBACK/0/index.m3u8'],
  ...['GET hls/PLAYBACK/source/SESSION/init.mp4'],
];

const odd = ['OPTIONS', 'PURGE', 'get', 'constructor', '__proto__', 'toString', "!#$%&'*"];
const methods = [...['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'], ...odd];

type Change = readonly [at: number, part: string];

/** Puts parts in the place of others, or between them. */
function mutate(path: string, changes: readonly Change[]): string {
  const parts = path.split('/');
  for (const [at, part] of changes) parts.splice(at + 1, at % 2, part);
  return parts.join('/');
}

function rarely<Value>(rare: fc.Arbitrary<Value>, usual: Value): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });
}

const change: fc.Arbitrary<Change> = fc.tuple(fc.nat(5), junk);

const lines: fc.Arbitrary<[string, string]> = fc
  .tuple(
    fc.constantFrom(...routes),
    rarely<string | undefined>(fc.constantFrom(...methods), undefined),
    rarely<readonly Change[]>(fc.array(change, { minLength: 1, maxLength: 2 }), []),
    rarely<string | undefined>(junk, undefined),
  )
  .map(([route, other, changes, id]) => {
    const [method = '', path] = route.split(' ');
    const filled = `/${path}`.replace(/STREAM|SESSION|PLAYBACK/g, (known) => id ?? known);
    return [other ?? method, mutate(filled, changes)];
  });

const queryName = mostly(['limit', 'cursor', 'record', 'parentId'], junk);
const queryValue = mostly(['1', '0', 'true', '1000', '1001', '-1', 'zz', 'STREAM'], junk);
const queries = rarely(
  fc
    .array(fc.tuple(queryName, queryValue), { minLength: 1, maxLength: 3 })
    .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  '',
);

/** What a header may hold: Latin-1 without line breaks and NUL. */
const headerValue = fc
  .string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replace(/[\r\n]/g, ' '));

function header(name: string, common: readonly string[]): fc.Arbitrary<[string, string]> {
  return mostly(common, headerValue).map((value) => [name, value]);
}

const [[, good], goodType] = goodHeaders;

const headers = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(['authorization', good] as const) },
      {
        weight: 1,
        arbitrary: header('authorization', [
          '',
          'test-fuzz',
          `${good}, ${good}`,
          'Bearer x',
          'Basic a',
        ]),
      },
    ),
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(goodType) },
      {
        weight: 1,
        arbitrary: header('content-type', ['text/plain', 'application/json; charset=utf-16', ';']),
      },
    ),
    fc.array(
      fc.oneof(
        header('range', [
          'bytes=0-1',
          'bytes=-5',
          'bytes=9-1',
          'bytes=0-0,2-3',
          'bytes=99999999999-',
        ]),
        header('content-length', ['0', '-1', '999999', '1e3']),
        header('content-encoding', ['gzip', 'identity']),
        header('if-none-match', ['*', 'W/"x"', ',,']),
        header('if-range', ['"x"']),
        header('access-control-request-headers', ['x-a']),
        header('origin', ['null', 'http://a.test']),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([authorization, type, others]) => [authorization, type, ...others]);

const anything = fc.jsonValue({ maxDepth: 4 });
const profile = fc.record(
  {
    name: fc.oneof(fc.constantFrom('720p', '360p'), fc.string()),
    bitrate: fc.oneof(fc.integer({ min: 1 }), anything),
    fps: fc.oneof(fc.constant(30), anything),
    width: fc.constant(1280),
    height: fc.oneof(fc.constant(720), fc.double()),
    quality: fc.nat(),
  },
  { requiredKeys: ['name', 'width'] },
);
const nearly = fc.record(
  {
    name: fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'binary' }) }, anything),
    profiles: fc.oneof(fc.array(profile, { maxLength: 4 }), anything),
    record: fc.oneof({ weight: 4, arbitrary: fc.boolean() }, anything),
    duration: fc.oneof(fc.double(), anything),
    advance: fc.oneof(fc.constantFrom('1s', '10m', -1, 1e300), anything),
    extra: anything,
  },
  { requiredKeys: [] },
);

const bodies: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.constantFrom('{"name":"a"}', '{"record":true}', '{"record":false}', '', '{"advance":"1s"}'),
  nearly.map((value) => JSON.stringify(value)),
  anything.map((value) => JSON.stringify(value)),
  fc.tuple(nearly, fc.nat(60), junk).map(([value, at, text]) => {
    const json = JSON.stringify(value);
    return json.slice(0, at) + text + json.slice(at + 1);
  }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
  fc.constantFrom('['.repeat(3_000), '{"__proto__":{}}', '"\\ud800"', '\ufeff{"name":""}', '1e999'),
);

/** Requests that are mostly refused. */
export const malformedPlans: fc.Arbitrary<RequestPlan> = fc
  .record({ line: lines, query: queries, pick: fc.nat(), headers, body: bodies })
  .map(({ line: [method, path], query, ...rest }) => ({ method, target: path + query, ...rest }));
