import { expect, test } from 'vitest';
import { run } from '../../conformance/run-suite.ts';
import { runCommand } from '../../tools/command-line.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { serveHttp, serveMock, serveProxy } from '../servers.test-support.ts';
import { headerSecrets, readExtraHeaders } from './extra-headers.ts';

const value = 'blue-tenant-7031';

test('headers go only to the origins that were added', () => {
  const headers = readExtraHeaders({ 'X-Tenant': value });
  headers.addOrigin('https://a.test/api');
  expect(headers.to('https://a.test/other')).toEqual({ 'x-tenant': value });
  expect(headers.to('http://a.test/api')).toEqual({});
  expect(headers.to('https://b.test/api')).toEqual({});
});

test.each([
  ['Authorization', 'expected a header that is not sent anyway, got authorization; give the key'],
  ['host', 'got host'],
  ['Content-Length', 'got content-length'],
  ['connection', 'got connection'],
  ['Transfer-Encoding', 'got transfer-encoding'],
  ['', 'a name that no header can have'],
  ['X Tenant', 'a name that no header can have'],
])('a header named %j is refused without its value', (name, message) => {
  const read = () => readExtraHeaders({ [name]: value });
  expect(read).toThrow(message);
  expect(read).not.toThrow(value);
});

test.each(['', 'two\nlines', 'blåbær', ' padded '])('the value %j is refused', (bad) => {
  expect(() => readExtraHeaders({ 'x-tenant': bad })).toThrow(
    'headers: expected a value of visible ASCII characters for x-tenant',
  );
});

test('a header in two letter cases is refused', () => {
  expect(() => readExtraHeaders({ 'X-A': '1', 'x-a': '2' })).toThrow('expected x-a once');
});

test('a whole value is secret, and so is a token inside it, but no short word', () => {
  const headers = {
    'x-auth': 'Bearer sk_12345678',
    cookie: 'id=0123456789; a=b',
    'x-debug': 'true',
  };
  expect(headerSecrets(headers)).toEqual([
    'Bearer sk_12345678',
    'sk_12345678',
    'id=0123456789; a=b',
    '0123456789',
  ]);
});

test('a service behind a gateway that wants a header conforms, and the report hides the value', async () => {
  const mock = await serveMock();
  const gateway = await serveProxy(mock, (request) =>
    request.headers.get('x-tenant') === value
      ? undefined
      : new Response(`no tenant, expected ${value}`, { status: 403 }),
  );
  const options = {
    baseUrl: gateway.baseUrl,
    apiKey: 'test-extra-headers',
    provider: { controlUrl: gateway.controlUrl },
    areas: ['create', 'list'] as const,
  };
  const refused = await run(options);
  expect(refused.unjudgeable).toContain('403');
  const report = await run({ ...options, headers: { 'X-Tenant': value } });
  expect(report.verdict).toBe('conformant');
  expect(JSON.stringify(report)).not.toContain(value);
});

test('evidence shows the name of a header, but neither its value nor what the service repeats of it', async () => {
  const target = await serveHttp((request, response) => {
    response.writeHead(200, { 'x-seen': String(request.headers['x-tenant']) });
    response.end(JSON.stringify({ id: 5, tenant: request.headers['x-tenant'] }));
  });
  const report = await run({
    baseUrl: target.origin,
    apiKey: 'test-extra-headers',
    headers: { 'x-tenant': value },
    only: ['CREATE-1', 'AUTH-1'],
  });
  const text = JSON.stringify(report);
  expect(target.received.every(({ headers }) => headers['x-tenant'] === value)).toBe(true);
  expect(text).toContain('x-tenant: [value of x-tenant]');
  expect(text).not.toContain(value);
});

test.each([
  ['check', []],
  ['learn', ['--out', temporaryFile('dialect.json')]],
  ['compare', []],
])('%s sends --header and never prints its value', async (command, rest) => {
  const target = await serveHttp((request, response) => {
    response.writeHead(302, { location: `/login?${request.headers['x-tenant']}` }).end();
  });
  const args = ['--base-url', target.origin, '--api-key', 'test-key', ...rest];
  const { stdout, stderr } = await runCommand(command, '--header', `X-Tenant: ${value}`, ...args);
  expect(target.received.length).toBeGreaterThan(0);
  expect(target.received.every(({ headers }) => headers['x-tenant'] === value)).toBe(true);
  expect(stdout + stderr).not.toContain(value);
});

test.each([
  [[value], 'option --header: expected NAME: VALUE, such as "X-Tenant: blue", got a text without'],
  [[`Authorization: ${value}`], 'option --header: expected a header that is not sent anyway'],
  [['X-Tenant:'], 'option --header: expected a value of visible ASCII characters for x-tenant'],
  [[`X-A: ${value}`, `x-a: ${value}`], 'option --header: expected x-a once'],
])('--header %j is refused', async (texts, message) => {
  const options = texts.flatMap((text) => ['--header', text]);
  const args = ['--base-url', 'http://a.test', '--api-key', 'test-key', ...options];
  const { status, stderr } = await runCommand('check', ...args);
  expect(status).toBe(3);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain(value);
});
