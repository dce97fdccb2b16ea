import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { newStreamKeys, readErrors, testRequest } from './request.test-support.ts';

/** Sends a body as a new stream's. */
function create(body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return createMock().fetch(testRequest('POST /api/stream', { body }));
}

type Refused = readonly [what: string, body: string, text: string];

function profile(fields: string): string {
  return `{"name":"a","profiles":[{"name":"p","bitrate":1,"fps":1,"width":1,${fields}}]}`;
}

const depth = 'body: expected at most 32 levels of nesting, got more';
const proto = 'expected no key named __proto__, got one';
const noKeys = `body: expected known keys (${newStreamKeys}), got`;
const wellFormed = 'well-formed Unicode, got a lone surrogate in';

const malformed: Refused[] = (
  [
    ['one space', ' ', 'Unexpected end of JSON input'],
    [
      'a third line',
      '{\n "name":\n  1 1}',
      "Expected ',' or '}' after property value at line 3, column 5",
    ],
    ['levels without an end', '['.repeat(50_000), 'Unexpected end of JSON input'],
    ['a NUL', '\0', "Unexpected token '\0'"],
  ] as const
).map(([what, body, error]) => [what, body, `body: expected JSON, got a syntax error: ${error}`]);

const harmful: Refused[] = [
  ['a lone surrogate', '{"name":"\\ud800"}', `name: expected ${wellFormed} "\\ud800"`],
  ['one in a list', '{"a":["","\\udfff"]}', `a[1]: expected ${wellFormed} "\\udfff"`],
  ['one in a key', '{"\\ud800":1}', `body: expected keys of ${wellFormed} "\\ud800"`],
  ['one below an odd key', '{"a b":"\\ud800"}', `["a b"]: expected ${wellFormed} "\\ud800"`],
  ['surrogates the wrong way', '"\\udc00\\ud800"', `body: expected ${wellFormed} "\\udc00\\ud800"`],
  ['__proto__', '{"name":"a","__proto__":{"x":1}}', `body: ${proto}`],
  ['an escaped __proto__', '{"\\u005f_proto__":1}', `body: ${proto}`],
  ['a nested __proto__', '{"profiles":[{"__proto__":null}]}', `profiles[0]: ${proto}`],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), depth],
  ['50,000 levels', '['.repeat(50_000) + ']'.repeat(50_000), depth],
];

const keys = `body: expected an object with the keys ${newStreamKeys}, got`;
const unfit: Refused[] = [
  ['constructor', '{"name":"a","constructor":{"prototype":{}}}', `${noKeys} "constructor"`],
  ['a text', '"a"', `${keys} "a"`],
  ['32 levels', '['.repeat(32) + ']'.repeat(32), `${keys} an array of 1`],
  [
    'a huge number',
    profile('"height":1e400'),
    'profiles[0].height: expected a whole number above 0, got Infinity',
  ],
  [
    'a number that JSON cannot hold',
    profile('"height":9007199254740993'),
    'profiles[0].height: expected a whole number up to 9007199254740991, got 9007199254740992',
  ],
];

describe.each([
  { what: 'malformed JSON', status: 400, cases: malformed },
  { what: 'JSON made to do harm', status: 400, cases: harmful },
  { what: 'JSON of another form', status: 422, cases: unfit },
])('refuses $what:', ({ status, cases }) => {
  test.each(cases)('%s', async (_, body, text) => {
    const response = await create(body);
    expect(response.status).toBe(status);
    expect(await readErrors(response)).toEqual([text]);
  });
});

test.each([
  ['a lone byte', [0x22, 0xff, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])('refuses bytes that are no UTF-8: %s', async (_, bytes) => {
  const response = await create(Uint8Array.from(bytes));
  expect(response.status).toBe(400);
  expect(await readErrors(response)).toEqual([
    'body: expected UTF-8, got bytes that are no valid UTF-8',
  ]);
});

test.each([
  ['a byte order mark', '\ufeff{"name":"a"}', 'a'],
  ['a key twice, of which the last counts', '{"name":"a","name":"b"}', 'b'],
  ['space around', '\r\n\t {"name" : "a"} \n', 'a'],
  ['a pair of surrogates', '{"name":"\\ud83d\\ude00"}', '😀'],
  ['a dangerous text', '{"name":"__proto__"}', '__proto__'],
])('accepts %s', async (_, body, name) => {
  const response = await create(body);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ name });
});
