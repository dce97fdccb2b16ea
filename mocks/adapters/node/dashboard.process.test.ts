import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveMock } from '../../../target/servers.test-support.ts';
import { testerHeader } from '../../messages/tester-request.ts';
import type { MockOptions } from '../../mock-options.ts';

const parts = ['dashboard.js', 'hls.js', 'dashboard.css'].map((name) => `_mock/dashboard/${name}`);

test.each(['', ...parts])('/%s is served, under a strict policy', async (file) => {
  const { origin } = await serveMock();
  const { status, headers } = await fetch(`${origin}/${file}`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'$/,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
});

const folder = new URL('../../../dist/dashboard/', import.meta.url);

/** The compressed bytes of files of the dashboard. */
function compressedSize(...names: readonly string[]): number {
  return names
    .map((name) => gzipSync(readFileSync(new URL(name, folder))).length)
    .reduce((sum, size) => sum + size);
}

test('the dashboard is smaller than 32 kB compressed, without the HLS player', () => {
  const size = compressedSize('index.html', 'dashboard.css', 'dashboard.js', 'icon.svg');
  expect(size).toBeLessThan(32_000);
  expect(compressedSize('hls.js')).toBeLessThan(120_000);
});

test('the dashboard is not in the journal, and hides no route of the interface', async () => {
  const { mock, origin } = await serveMock({ prefix: '' });
  const world = await mock.world();
  expect((await fetch(`${origin}/?from=bookmark`)).headers.get('content-type')).toMatch(
    'text/html',
  );
  expect((await fetch(origin, { method: 'HEAD' })).status).toBe(200);
  expect(world.requests()).toEqual([]);
  expect((await fetch(origin, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${origin}/_mock/dashboard/other.js`)).status).toBe(404);
  const headers = { authorization: 'Bearer test-demo' };
  expect(await (await fetch(`${origin}/stream`, { headers })).json()).toEqual([]);
});

test('a browser sees the dashboard also if the dialect says what other clients get at the root', async () => {
  const root = { method: 'GET', path: '!/', status: 200, json: { service: 'text' } } as const;
  const { origin } = await serveMock({ dialect: { dialect: 3, routes: [root] } });
  expect(await (await fetch(origin)).json()).toEqual(root.json);
  const page = await fetch(origin, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers.get('content-type')).toMatch('text/html');
});

test('media may come from other origins only if it has its own', async () => {
  const policyWith = async (options: MockOptions) =>
    (await fetch((await serveMock(options)).origin)).headers.get('content-security-policy');
  expect(await policyWith({})).toContain(
    "connect-src 'self'; img-src 'self'; media-src 'self' blob:;",
  );
  const elsewhere = await policyWith({ mediaOrigin: 'https://media.test' });
  expect(elsewhere).toMatch(
    /connect-src 'self' http: https:;.* media-src 'self' http: https: blob:;/,
  );
  expect(elsewhere).toContain("script-src 'self';");
});

test('the page contains the name of the dialect and the rules that it breaks, as text', async () => {
  const name = 'Acme <b> "1" {settings} $&';
  const behaviours = { 'keys.spelling': { mp4URL: 'mp4Address' } };
  const { origin } = await serveMock({ dialect: { dialect: 3, name, behaviours } });
  const page = await (await fetch(origin)).text();
  const [, written = ''] = /<meta name="settings" content="([^"<>]*)">/.exec(page) ?? [];
  const settings = written.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(JSON.parse(settings)).toEqual({
    prefix: '/api',
    openKey: 'test-demo',
    variants: [],
    dialect: name,
    brokenRules: ['It spells mp4URL as mp4Address (LIST-13, MEDIA-6).'],
  });
});

test("an app's requests are in the journal and match faults; a tester's are not and do not", async () => {
  const { mock, origin } = await serveMock();
  const world = await mock.world();
  world.addFault({ effect: 'status', status: 503, times: 1 });
  const headers = { authorization: 'Bearer test-demo' };
  const look = { headers: { ...headers, [testerHeader]: '1' } };
  expect((await fetch(`${origin}/api/stream`, look)).status).toBe(200);
  expect((await fetch(`${origin}/api/stream`, { headers })).status).toBe(503);
  expect((await fetch(`${origin}/api/unknown`, look)).status).toBe(404);
  expect(world.requests()).toMatchObject([{ operation: 'listStreams', response: { status: 503 } }]);
});
