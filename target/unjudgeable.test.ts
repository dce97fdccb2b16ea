import { expect, test } from 'vitest';
import { exitStatus } from '../conformance/run/verdict.ts';
import { type RunOptions, run } from '../conformance/run-suite.ts';
import { freePort } from '../tools/command-line.test-support.ts';
import { serveHostile } from '../tools/hostile-targets.test-support.ts';
import { serveSelfSigned } from './self-signed.test-support.ts';
import { serveHttp, serveMock, serveProxy, serveRaw } from './servers.test-support.ts';

const apiKey = 'test-unjudgeable';

/** The address of a server that responds to every request in the same way. */
function always(status: number, headers: Record<string, string> = {}, body = '') {
  return async () => {
    const { origin } = await serveHttp((_, out) => out.writeHead(status, headers).end(body));
    return { baseUrl: origin };
  };
}

const page = '<!doctype html><title>App</title>';
type Row = readonly [when: string, sentence: RegExp, serve: () => Promise<Partial<RunOptions>>];
const rows: readonly Row[] = [
  [
    'nothing listens',
    /gave no response: nothing listens there: start it, check --base-url or add --wait-for 30s \(ECONNREFUSED\)\.$/,
    async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}` }),
  ],
  [
    'the host is unknown',
    /its host name is not known: .* \((ENOTFOUND|EAI_AGAIN)\)/,
    async () => ({ baseUrl: 'http://no-such-host.invalid/api' }),
  ],
  [
    'the server does not speak TLS',
    /^The target at https:(\S+) gave no response: the server there does not speak TLS; try http:\1 \(\w+\)\.$/,
    async () => {
      const refusal = 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n';
      const { origin } = await serveRaw((socket) => socket.end(refusal));
      return { baseUrl: origin.replace('http:', 'https:') };
    },
  ],
  [
    'its certificate is signed by itself',
    /its certificate is not trusted: name a file with its certificate authority in NODE_EXTRA_CA_CERTS \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
    async () => ({ baseUrl: await serveSelfSigned((_, response) => response.end()) }),
  ],
  [
    'no response comes',
    /it did not respond in time: .* \(TIMEOUT\)/,
    async () => ({ baseUrl: (await serveHostile('hangs')).origin, timeout: 100 }),
  ],
  ['the key is refused with 401', /refused the API key .* status 401: check the key/, always(401)],
  [
    'the key is refused in some requests, and others are not found',
    /got 403, 404, 404\. Check the path of --base-url, and the API key\.$/,
    async () => ({
      baseUrl: 'http://a.test',
      send: async ({ method }) => new Response('', { status: method === 'POST' ? 403 : 404 }),
    }),
  ],
  [
    'every response is 429',
    /because of its rate limit: .* \(429\)/,
    async () => ({ baseUrl: (await serveHostile('asks to wait for ever')).origin }),
  ],
  ['the path is wrong', /sessions got 404, 404, 404\. Check the path of --base-url/, always(404)],
  ['a page answers all', /got 200 and a page of HTML, 200 and/, always(200, {}, page)],
  [
    'all is redirected',
    /got 302 to "\/login", 302 to "\/login", 302 to "\/login"\. Check/,
    always(302, { location: '/login' }),
  ],
  [
    'a read-only run finds no list',
    /GET .*sessions got 404: check the path of --base-url, and the id in --recorded-stream/,
    async () => ({
      ...(await always(404)()),
      readOnly: true,
      provider: { recordedStream: 'none' },
    }),
  ],
];

test.each(rows)(
  'a target is not judged, and one sentence says why, if %s',
  async (_, sentence, serve) => {
    const report = await run({ baseUrl: '', apiKey, ...(await serve()) });
    expect(report.unjudgeable).toMatch(sentence);
    expect(report.reasons).toEqual([report.unjudgeable]);
    if (/TLS|nothing listens|host name/.test(report.unjudgeable ?? '')) {
      expect(report.leftBehind).toEqual([]);
    }
    expect([report.verdict, exitStatus(report)]).toEqual(['incomplete', 4]);
    const outcomes = new Set(report.results.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(new Set(['blocked', 'untestable']));
  },
);

test.each([
  ['CERT_HAS_EXPIRED', 'check its certificate and --base-url'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'check its certificate and --base-url'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate authority in NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate authority in NODE_EXTRA_CA_CERTS'],
  ['STOPPED', 'the run was interrupted'],
])('after %s the advice is: %s', async (code, advice) => {
  const send = () => Promise.reject(Object.assign(new Error('no TLS'), { code }));
  const { unjudgeable } = await run({ baseUrl: 'https://a.test', apiKey, send });
  expect(unjudgeable).toContain(`${advice} (${code}).`);
});

test('a run that waits for a target ends when it is interrupted', async () => {
  const controller = new AbortController();
  const report = await run({
    baseUrl: 'http://starting.test',
    apiKey,
    waitFor: 60_000,
    signal: controller.signal,
    send: async () => {
      controller.abort();
      return new Response('starting', { status: 503 });
    },
  });
  expect(report).toMatchObject({ interrupted: true, verdict: 'incomplete' });
  expect(report.unjudgeable).toBeUndefined();
});

test('a target that cannot create streams, but has another stated operation, is judged', async () => {
  const send = async ({ method }: Request): Promise<Response> =>
    new Response('', { status: method === 'PATCH' ? 422 : 404 });
  const report = await run({ baseUrl: 'http://a.test', apiKey, send });
  expect(report.unjudgeable).toBeUndefined();
  expect(exitStatus(report)).toBe(1);
});

test('waiting for a target that is starting ends with its first response', async () => {
  const { mock } = await serveMock();
  let asked = 0;
  const proxy = await serveProxy({ mock }, () => {
    asked += 1;
    return asked < 4 ? new Response('starting', { status: 503 }) : undefined;
  });
  const only = ['CREATE-1'];
  const report = await run({ baseUrl: proxy.baseUrl, apiKey, waitFor: 20_000, only });
  expect(report.results.map(({ outcome }) => outcome)).toEqual(['pass']);
});

test('waiting for a target that never starts ends after several attempts', async () => {
  let attempts = 0;
  const send = (): Promise<never> => {
    attempts += 1;
    return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  };
  const report = await run({ baseUrl: 'http://a.test', apiKey, waitFor: 100, send });
  expect(report.unjudgeable).toMatch(/nothing listens there/);
  expect(attempts).toBeGreaterThan(1);
});

test.each(['ECONNREFUSED', 'TIMEOUT', '503'])(
  'a run that has waited for its target in vain advises to wait longer after %s',
  async (code) => {
    const send = () => Promise.reject(Object.assign(new Error('no response'), { code }));
    const report = await run({ baseUrl: 'http://a.test', apiKey, waitFor: 10, send });
    expect(report.unjudgeable).toContain(`or raise --wait-for (${code}).`);
  },
);
