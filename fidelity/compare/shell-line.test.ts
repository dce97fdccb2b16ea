import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nearKeys, secretsOf } from '../../conformance/target/near-keys.ts';
import { toCurl } from '../../curl.ts';
import type { Credential } from './moves/move.ts';
import { writeShellLine } from './shell-line.ts';

const apiKey = "test-it's-a-key";
const { short, long, similar } = nearKeys(apiKey);
const variable = 'LIVESTREAM_API_KEY';
const url = new URL('http://service.test/api/stream');

function lineOf(credential: Credential | undefined, authorization: string): string {
  const headers = new Headers({ authorization, 'content-type': 'application/json' });
  const curl = toCurl({ method: 'DELETE', url, headers, body: '{}' });
  return writeShellLine(curl, credential, { apiKeys: secretsOf(apiKey), variable });
}

/** The arguments of a line, as a shell reads it. */
function argumentsOf(line: string): string[] {
  const script = `${line.replace(/^curl/, 'printf "%s\\n"')}`;
  const env = { ...process.env, LIVESTREAM_API_KEY: apiKey };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
}

test.each<[Credential | undefined, string]>([
  [undefined, `Bearer ${apiKey}`],
  ['lower-case', `bearer ${apiKey}`],
  ['bare', apiKey],
  ['short', `Bearer ${short}`],
  ['long', `Bearer ${long}`],
  ['wrong', 'Bearer not-a-key-of-this-service'],
  ['empty', 'Bearer'],
])('a line with the key %s sends what was sent', (credential, authorization) => {
  const line = lineOf(credential, authorization);
  expect(argumentsOf(line)).toContain(`authorization: ${authorization}`);
  expect(argumentsOf(line)).toContain('content-type: application/json');
  expect(line).not.toContain("it'\\''s");
});

test('a line with another scheme has curl write it', () => {
  const line = lineOf('other-scheme', `Basic ${btoa(`user:${apiKey}`)}`);
  const words = argumentsOf(line);
  expect(words[words.indexOf('--user') + 1]).toBe(`user:${apiKey}`);
  expect(line).not.toContain('authorization');
});

test('a line that no short expression makes says what stands there', () => {
  expect(lineOf('similar', `Bearer ${similar}`)).toContain(
    "-H 'authorization: Bearer [API key with one character changed]' -H",
  );
});

test('a line for the second service takes its key from another variable', () => {
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  const curl = toCurl({ method: 'GET', url: new URL(url), headers });
  const line = writeShellLine(curl, 'short', { apiKeys: [apiKey], variable: 'SECOND_KEY' });
  expect(line).toContain(`-H 'authorization: Bearer '"\${SECOND_KEY%?}"`);
});

test('a key elsewhere in a request is replaced', () => {
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  const curl = toCurl({ method: 'GET', url: new URL(`?filters=${apiKey}`, url), headers });
  expect(writeShellLine(curl, undefined, { apiKeys: [apiKey], variable })).toBe(
    `curl -i --globoff -H 'authorization: Bearer '"$LIVESTREAM_API_KEY" --url 'http://service.test/api/stream?filters=[API key]'`,
  );
});
