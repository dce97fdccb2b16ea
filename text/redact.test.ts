import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../conformance/model/report.ts';
import { run } from '../conformance/run-suite.ts';
import { serveHttp } from '../target/servers.test-support.ts';
import { hiddenKey, hideKeys, redact } from './redact.ts';

const keyPlaceholder = hiddenKey;

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

/** Whether at least 6 characters remain of a key once what looks like escapes in it is decoded. */
function isLongWhenDecoded(key: string): boolean {
  return key.replaceAll(/%[\da-f]{2}|\\(?:u[\da-f]{4}|.)|'\\''/gi, '.').length >= 6;
}

test('no trace of a key remains in any encoding that is promised to be found', () => {
  const key = string({ unit: constantFrom(...visible), minLength: 6, maxLength: 60 }).filter(
    isLongWhenDecoded,
  );
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

const oddKey = 'test-a/b+c~"d\\e.f-0123456789';

test.each([
  { form: 'plainly', written: oddKey },
  { form: 'in a URL', written: encodeURIComponent(oddKey) },
  {
    form: 'in a URL, with codes in lower case',
    written: encodeURIComponent(oddKey).replace(/%../g, (code) => code.toLowerCase()),
  },
  {
    form: 'in a URL, with every character encoded',
    written: oddKey.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  },
  { form: 'in JSON', written: JSON.stringify(oddKey).slice(1, -1) },
  { form: 'in JSON within JSON', written: JSON.stringify(JSON.stringify(oddKey)).slice(3, -3) },
])('a key that is written $form is hidden', ({ written }) => {
  expect(hideKeys([oddKey])(`<${written}>`)).toBe('<[API key]>');
});

test.each([6, 9, 20])('the first %i characters of a key are hidden before a cut', (length) => {
  const hide = hideKeys([oddKey]);
  expect(hide(`got "${oddKey.slice(0, length)}…"`)).toBe('got "[API key]…"');
  expect(hide(`got "${encodeURIComponent('test-a/')}%2…"`)).toBe(
    'got "test-a%2F%2…"'.replace('test-a%2F%2', '[API key]'),
  );
});

test('text that only begins like a key is not hidden', () => {
  expect(hideKeys(['test-demo'])('test-dem, test-')).toBe('test-dem, test-');
});

test('a key that begins with another key is hidden as a whole', () => {
  expect(hideKeys(['secret', 'secret-2'])('secret-2 secret')).toBe('[API key] [API key]');
});

test.each([
  { form: 'with every character as an escape of JSON', write: (one: string) => `\\u00${hex(one)}` },
  { form: 'so, in upper case', write: (one: string) => `\\u00${hex(one).toUpperCase()}` },
  { form: 'percent-encoded twice', write: (one: string) => `%25${hex(one)}` },
  { form: 'with the percent sign as an escape', write: (one: string) => `\\u0025${hex(one)}` },
])('a key that is written $form is hidden', ({ write }) => {
  const key = 'p+a&s<s!w*o(r)d';
  const written = key.replace(/[^a-z]/g, write);
  expect(redact(`<${written}>`, [key])).toBe('<[API key]>');
  expect(redact(`<${key.replace(/./g, write)}>`, [key])).toBe('<[API key]>');
});

test('a key outside ASCII is hidden, whichever way a character of two units is written', () => {
  const key = 'clé-😀-secret';
  const inJson = '"cl\\u00e9-\\ud83d\\uDE00-secret"';
  expect(redact(`é😀 ${key} ${encodeURIComponent(key)} ${inJson} 😀`, [key])).toBe(
    'é😀 [API key] [API key] "[API key]" 😀',
  );
});

test('keys within keys, keys side by side and empty keys', () => {
  expect(redact('test-abc/test-abcdef/xtest-abcdefx', ['', 'test-abc', 'xtest-abcdefx'])).toBe(
    '[API key]/[API key]def/[API key]',
  );
  expect(redact('secretsecret', ['secret'])).toBe('[API key][API key]');
  expect(redact('nothing to hide', [''])).toBe('nothing to hide');
});

test('the beginning of a key before a cut is hidden, even if the cut is within an escape', () => {
  const key = 'test-a/b+c';
  for (const written of [
    'test-a',
    'test-a/b%',
    'test-a/b%2',
    'test-a\\/b\\',
    'test-a\\u002f\\u00',
  ]) {
    expect(redact(`"${written}…"`, [key])).toBe('"[API key]…"');
  }
});

test('a search takes as long as the text is, whatever a key looks like', () => {
  const key = `${'a'.repeat(8 * 1024)}b`;
  const start = performance.now();
  expect(redact('%61a'.repeat(50_000), [key])).not.toContain(hiddenKey);
  expect(redact('%25'.repeat(30_000), [key])).not.toContain(hiddenKey);
  expect(redact(`%${'25'.repeat(50_000)}`, [key])).not.toContain(hiddenKey);
  // Comparing the whole key at each place would take a minute.
  expect(performance.now() - start).toBeLessThan(5_000);
});

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}
