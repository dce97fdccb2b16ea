import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startProcess } from '../tools/process.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';
import { selfSignedCertificate, serveSelfSigned } from './self-signed.test-support.ts';
import { serveHttp } from './servers.test-support.ts';

/** Runs `check` in a process, which reads these variables when it starts, and returns what it prints. */
async function check(baseUrl: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const unset = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };
  const args = ['check', '--base-url', baseUrl, '--api-key', 'test-environment', '--quiet'];
  const { stdout } = await startProcess(args, { ...unset, ...variables }).finished;
  return stdout;
}

const unknownHost = 'http://no-such-host.invalid/api';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canUseProxy = major > 24 || (major === 24 && minor >= 5);

test('a certificate in NODE_EXTRA_CA_CERTS is trusted', async () => {
  const origin = await serveSelfSigned((_, response) => response.writeHead(401).end());
  const file = temporaryFile('authority.pem');
  writeFileSync(file, selfSignedCertificate);
  expect(await check(origin, {})).toContain('name a file with its certificate authority');
  expect(await check(origin, { NODE_EXTRA_CA_CERTS: file })).toContain('refused the API key');
});

test('a proxy that is not used is named if the target gives no response', async () => {
  const proxy = await serveHttp((_, response) => response.writeHead(401).end());
  const said = await check(unknownHost, { HTTP_PROXY: proxy.origin });
  const node = canUseProxy ? '' : ' and run Node 24.5 or newer';
  expect(said).toContain(
    `The proxy in HTTP_PROXY was not used: set NODE_USE_ENV_PROXY=1${node} to use it.`,
  );
  expect(proxy.received).toEqual([]);
});

test('with NODE_USE_ENV_PROXY, requests go through the proxy where Node can do so', async () => {
  const proxy = await serveHttp((_, response) => response.writeHead(401).end());
  const variables = { HTTP_PROXY: proxy.origin, NODE_USE_ENV_PROXY: '1' };
  const said = await check(unknownHost, variables);
  expect(said).toContain(canUseProxy ? 'refused the API key' : 'run Node 24.5 or newer');
  expect(proxy.received.length > 0).toBe(canUseProxy);
});

test('a proxy is not named for a target on this machine', async () => {
  const { origin, close } = await serveHttp(() => {});
  close();
  expect(await check(origin, { HTTP_PROXY: 'http://127.0.0.1:9' })).not.toContain('HTTP_PROXY');
});
