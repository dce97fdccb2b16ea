import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toCurl } from '../../curl.ts';
import { withVariable } from './differences.ts';

const apiKey = "test-it's-a-key";
const variable = 'LIVESTREAM_API_KEY';
const url = new URL('http://service.test/api/stream');

function lineOf(authorization: string): string {
  const headers = new Headers({ authorization, 'content-type': 'application/json' });
  return withVariable(toCurl({ method: 'DELETE', url, headers, body: '{}' }), apiKey, variable);
}

/** The arguments of a line, as a shell reads it. */
function argumentsOf(line: string): string[] {
  const script = `${line.replace(/^curl/, 'printf "%s\\n"')}`;
  const env = { ...process.env, LIVESTREAM_API_KEY: apiKey };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
}

test.each([
  `Bearer ${apiKey}`,
  `bearer ${apiKey}`,
  apiKey,
  'Bearer not-a-key-of-this-service',
  'Basic bGVhcm46bGVhcm4=',
  'Bearer',
])('a line with the authorization %s sends what was sent, without the key', (authorization) => {
  const line = lineOf(authorization);
  expect(argumentsOf(line)).toContain(`authorization: ${authorization}`);
  expect(argumentsOf(line)).toContain('content-type: application/json');
  expect(line).not.toContain("it'\\''s");
});
