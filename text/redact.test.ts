import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../conformance/model/report.ts';
import { run } from '../conformance/run-suite.ts';
import { serveHttp } from '../conformance/servers.test-support.ts';
import { redact } from './redact.ts';

const keyPlaceholder = '[API key]';

const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => 33 + i));

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const asItStands = (key: string): string => key;
/** How a target may write a key. */
const echoes: readonly ((key: string) => string)[] = [
  asItStands,
  (key) => `x${key}y`,
  json,
  (key) => json(key).replaceAll('/', '\\/'),
  encodeURIComponent,
  (key) => encodeURIComponent(key).toLowerCase(),
  encodeURI,
  // Quoted for a shell.
  (key) => key.replaceAll("'", `'\\''`),
  (key) => key.toLowerCase(),
  base64,
  (key) => base64(`Bearer ${key}`),
  (key) => base64(`::${key}::`),
  (key) => Buffer.from(`user:${key}`).toString('base64url'),
];

test('no trace of a key remains in any encoding that is promised to be found', () => {
  const key = string({ unit: constantFrom(...visible), minLength: 6, maxLength: 60 });
  assert(
    property(key, constantFrom(...echoes), (key, encode) => {
      // In Base64, the characters at both ends also have bits of the text next to the key.
      expect(redact(`left ${encode(key)} right`, [key])).toMatch(
        /^left .{0,12}\[API key\].{0,8} right$/,
      );
    }),
    { numRuns: 300 },
  );
});

test('text that repeats the beginning of the key is searched quickly', () => {
  const key = `k'\\"%25&amp;${'ab'.repeat(40)}`;
  const begun = key.slice(0, -1).repeat(20_000 / key.length);
  expect(redact(begun + key, [key])).toBe(begun + keyPlaceholder);
});

test('a short key is replaced only if no letter or digit is next to it', () => {
  const text = 'Bearer ab, "ab", key=ab; stable cabin, x-ab-y {"id":"ab"}';
  expect(redact(text, ['ab'])).toBe(text.replaceAll(/\bab\b/g, () => keyPlaceholder));
});

test('a key is replaced in all values and names, and nothing else is changed', () => {
  const key = 'test-4b7e91c0d2';
  const value = (text: string) => ({
    a: [text, 1, null, true, { b: undefined }],
    [text]: 'test-4b',
  });
  expect(redact(value(`x${key}y`), [key])).toEqual(value(`x${keyPlaceholder}y`));
});

test.each([`k"e'y\\with\\\\odd'"ones`, 'k9~z'])(
  'the report on a target that echoes its key %s everywhere does not contain the key',
  async (apiKey) => {
    const said: string[] = [];
    JSON.stringify(await judgeEcho(apiKey), (name, value) => {
      said.push(name, String(value));
      return value;
    });
    // In Base64, a short key is part of ordinary words.
    const long = apiKey.length >= 6 ? [base64] : [];
    for (const echo of [asItStands, json, encodeURIComponent, ...long]) {
      expect(said.find((text) => text.includes(echo(apiKey)))).toBeUndefined();
    }
    expect(said.some((text) => text.includes(keyPlaceholder))).toBe(true);
  },
);

test('a key that is a word of the report does not change its structure', async () => {
  const { verdict, results } = await judgeEcho('pass');
  expect(verdict).toBe('nonconformant');
  expect(results[0]).toMatchObject({ id: 'CREATE-1', area: 'create', level: 'must' });
});

test('a body is cut after the key is replaced, so that no beginning of the key remains', async () => {
  const apiKey = 'test-4b7e91c0d2-6c1f6d1e8a534d2e';
  for (const echo of [asItStands, base64]) {
    const { origin } = await serveHttp((_, response) =>
      response.end(`${' '.repeat(1_990)}${echo(apiKey)}${' '.repeat(2_000)}`),
    );
    const { results } = await run({ baseUrl: origin, apiKey, only: ['CREATE-1'] });
    // The last character may be the end of the key in Base64.
    expect(results[0]?.evidence[0]?.body).toMatch(/^ {1990}\[API key\].$/);
  }
});

test('no thrown message contains the key', async () => {
  const apiKey = 'test-4b7e91c0d2';
  for (const options of [
    { baseUrl: `ftp://a/${apiKey}` },
    { baseUrl: 'http://a', apiKey: `${apiKey}\n` },
    { baseUrl: 'http://a', timeout: -1 },
    { baseUrl: 'http://a', provider: { controlUrl: apiKey } },
  ]) {
    const error = await run({ apiKey, ...options }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain(apiKey);
  }
});

/** Judges a target that puts the key into every response. */
async function judgeEcho(apiKey: string): Promise<Report> {
  const { origin } = await serveHttp(({ method = '', headers }, response) => {
    const key = (headers.authorization ?? '').replace('Bearer ', '');
    const url = encodeURIComponent(key);
    const echo = { key, url, base64: base64(key), bearer: base64(`Bearer ${key}`) };
    const address = `http://127.0.0.1:1/${url}/${base64(key).replaceAll('/', '_')}`;
    const session = {
      ...echo,
      id: `s-${key}`,
      parentId: key,
      recordingStatus: 'ready',
      recordingUrl: address,
      mp4URL: `${address}?key=${url}`,
    };
    const body = method === 'POST' ? { ...echo, id: key, name: key, streamKey: key } : [session];
    response.writeHead(method === 'POST' ? 200 : 203, {
      'x-echo': key,
      'x-base64': base64(`Bearer ${key}`),
      location: address,
      'content-type': `text/${url}`,
    });
    response.end(JSON.stringify(body));
  });
  const provider = { controlUrl: `${origin}/control` };
  const quick = { timeout: 1_000, patience: 1, concurrency: 16 };
  return run({ baseUrl: `${origin}/api`, apiKey, provider, ...quick });
}
