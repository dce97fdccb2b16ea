import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { clientOf } from './dialect.test-support.ts';
import { newStreamKeys, readErrors, stateText, testRequest } from './request.test-support.ts';

/** Sends a body as a new stream's. */
function create(body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return createMock().fetch(testRequest('POST /api/stream', { body }));
}

function profile(fields: string): string {
  return `{"name":"a","profiles":[{"name":"p","bitrate":1,"fps":1,"width":1,${fields}}]}`;
}

const syntax = 'body: expected JSON, got a syntax error in line 1, column';
const depth = 'body: expected at most 32 levels of nesting, got more';
const keys = `body: expected an object with the keys ${newStreamKeys}, got`;
const noKeys = `body: expected known keys (${newStreamKeys}), got`;
const profileKeys = 'name, bitrate, fps, width, height, fpsDen, quality, gop, profile, encoder';
const noProfileKeys = `profiles[0]: expected known keys (${profileKeys}), got`;
const whole = 'profiles[0].height: expected a whole number';
const tooHigh = `${whole} up to 9007199254740991, got 9007199254740992`;

test.each<[what: string, status: number, body: string, text: string]>([
  ['one space', 400, ' ', `${syntax} 2 (a value belongs there)`],
  [
    'levels without an end',
    400,
    '['.repeat(50_000),
    `${syntax} 50001 (a value or ] belongs there)`,
  ],
  ['a text that is no JSON', 400, 'half-of-a-secret', `${syntax} 1 (a value belongs there)`],
  ['__proto__', 422, '{"name":"a","\\u005f_proto__":{}}', `${noKeys} "__proto__"`],
  [
    '__proto__ in a profile',
    422,
    profile('"height":1,"__proto__":{}'),
    `${noProfileKeys} "__proto__"`,
  ],
  ['50,000 levels', 400, '['.repeat(50_000) + ']'.repeat(50_000), depth],
  ['33 levels', 400, '['.repeat(33) + ']'.repeat(33), depth],
  ['32 levels', 422, '['.repeat(32) + ']'.repeat(32), `${keys} an array of 1`],
  ['constructor', 422, '{"name":"a","constructor":{"prototype":{}}}', `${noKeys} "constructor"`],
  ['a text', 422, '"a"', `${keys} "a"`],
  ['a huge number', 422, profile('"height":1e400'), `${whole} above 0, got Infinity`],
  ['a number that JSON cannot hold', 422, profile('"height":9007199254740993'), tooHigh],
])('refuses %s with %i', async (_, status, body, text) => {
  const response = await create(body);
  expect([response.status, ...(await readErrors(response))]).toEqual([status, text]);
});

test.each([
  ['a lone byte', 'invalid UTF-8', [0x22, 0xff, 0x22]],
  ['an encoded surrogate', 'invalid UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['UTF-16', 'UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])('refuses bytes that are not UTF-8: %s', async (_, found, bytes) => {
  const response = await create(Uint8Array.from(bytes));
  expect(response.status).toBe(400);
  expect(await readErrors(response)).toEqual([`body: expected UTF-8, got ${found}`]);
});

test.each([
  ['a byte order mark', '\ufeff{"name":"a"}', 'a'],
  ['a key twice, of which the last counts', '{"name":"a","name":"b"}', 'b'],
  ['space around', '\r\n\t {"name" : "a"} \n', 'a'],
  ['half of a surrogate pair', '{"name":"\\ud83d"}', '\ud83d'],
  ['a dangerous text', '{"name":"__proto__"}', '__proto__'],
])('accepts %s', async (_, body, name) => {
  const response = await create(body);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ name });
});

test('the key __proto__ changes nothing where a dialect keeps unknown fields', async () => {
  const keepsAll = {
    'field:unknown': { given: 'kept' },
    'field:profiles[].unknown': { given: 'kept' },
  } as const;
  const { send, world } = await clientOf({ errors: { createStream: keepsAll } });
  const inherited = '"__proto__":{"record":true,"fps":60}';
  const profile = `{"name":"p","bitrate":1,"fps":1,"width":1,"height":1,${inherited}}`;
  const body = `{"name":"a",${inherited},"profiles":[${profile}],"userTags":{${inherited}}}`;
  const { status, json } = await send('POST /api/stream', undefined, { body });
  const profiles = [{ name: 'p', bitrate: 1, fps: 1, width: 1, height: 1 }];
  expect([status, json]).toMatchObject([201, { record: false, profiles, userTags: {} }]);
  expect(stateText(world.exportState())).not.toContain('__proto__');
});
