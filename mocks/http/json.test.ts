import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { newStreamKeys, readErrors, testRequest } from './request.test-support.ts';

/** Sends a body as a new stream's. */
function create(body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return createMock().fetch(testRequest('POST /api/stream', { body }));
}

function profile(fields: string): string {
  return `{"name":"a","profiles":[{"name":"p","bitrate":1,"fps":1,"width":1,${fields}}]}`;
}

const depth = 'body: expected at most 32 levels of nesting, got more';
const proto = 'expected no key named __proto__, got one';
const noKeys = `body: expected known keys (${newStreamKeys}), got`;
const wellFormed = 'well-formed Unicode, got a lone surrogate in';

const syntax = 'body: expected JSON, got a syntax error:';
const keys = `body: expected an object with the keys ${newStreamKeys}, got`;

test.each<[what: string, status: number, body: string, text: string]>([
  ['one space', 400, ' ', `${syntax} Unexpected end of JSON input`],
  [
    'a mistake in the third line',
    400,
    '{\n "name":\n  1 1}',
    `${syntax} Expected ',' or '}' after property value at line 3, column 5`,
  ],
  ['levels without an end', 400, '['.repeat(50_000), `${syntax} Unexpected end of JSON input`],
  ['a NUL', 400, '\0', `${syntax} Unexpected token '\0'`],
  ['a lone surrogate', 400, '{"name":"\\ud800"}', `name: expected ${wellFormed} "\\ud800"`],
  ['one in a list', 400, '{"a":["","\\udfff"]}', `a[1]: expected ${wellFormed} "\\udfff"`],
  ['one in a key', 400, '{"\\ud800":1}', `body: expected keys of ${wellFormed} "\\ud800"`],
  ['one below an odd key', 400, '{"a b":"\\ud800"}', `["a b"]: expected ${wellFormed} "\\ud800"`],
  [
    'surrogates the wrong way',
    400,
    '"\\udc00\\ud800"',
    `body: expected ${wellFormed} "\\udc00\\ud800"`,
  ],
  ['__proto__', 400, '{"name":"a","__proto__":{"x":1}}', `body: ${proto}`],
  ['an escaped __proto__', 400, '{"\\u005f_proto__":1}', `body: ${proto}`],
  ['a nested __proto__', 400, '{"profiles":[{"__proto__":null}]}', `profiles[0]: ${proto}`],
  ['33 levels', 400, '['.repeat(33) + ']'.repeat(33), depth],
  ['50,000 levels', 400, '['.repeat(50_000) + ']'.repeat(50_000), depth],
  ['constructor', 422, '{"name":"a","constructor":{"prototype":{}}}', `${noKeys} "constructor"`],
  ['a text', 422, '"a"', `${keys} "a"`],
  ['32 levels', 422, '['.repeat(32) + ']'.repeat(32), `${keys} an array of 1`],
  [
    'a huge number',
    422,
    profile('"height":1e400'),
    'profiles[0].height: expected a whole number above 0, got Infinity',
  ],
  [
    'a number that JSON cannot hold',
    422,
    profile('"height":9007199254740993'),
    'profiles[0].height: expected a whole number up to 9007199254740991, got 9007199254740992',
  ],
])('refuses %s with %i', async (_, status, body, text) => {
  const response = await create(body);
  expect(response.status).toBe(status);
  expect(await readErrors(response)).toEqual([text]);
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

test('a long text of escapes without an end is refused at once', async () => {
  const begin = performance.now();
  const { status } = await create(`{"${'\\"'.repeat(48_000)}\\\n`);
  expect(status).toBe(400);
  expect(performance.now() - begin).toBeLessThan(500);
});
