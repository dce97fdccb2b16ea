import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HttpResponse, http as rest } from 'msw';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { test } from './vitest.ts';

const headers = { authorization: 'Bearer test-demo' };

describe('at another base URL', () => {
  const baseUrl = 'https://livestream.test/api';
  test.override({ livestream: { baseUrl, recordingDelay: 0 } });

  for (const name of ['one', 'two']) {
    test(`a test has a world of its own: ${name}`, async ({ mock }) => {
      await fetch(`${baseUrl}/stream`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      expect(mock.streams().map((stream) => stream.name)).toEqual([name]);
      expect(mock.requests()).toMatchObject([{ number: 1, operation: 'createStream' }]);
    });
  }

  test('a handler that a test adds comes before the mock, but only in that test', async ({
    mock,
    server,
  }) => {
    server.use(rest.get(`${baseUrl}/stream`, () => HttpResponse.json({}, { status: 503 })));
    expect((await fetch(`${baseUrl}/stream`, { headers })).status).toBe(503);
    expect(mock.requests()).toEqual([]);
  });

  test('the mock answers the next test again', async () => {
    expect((await fetch(`${baseUrl}/stream`, { headers })).status).toBe(200);
  });
});

test('the usual base URL is that of `livestream-mock serve`', async ({ mock }) => {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get('http://127.0.0.1:4100/api/stream', { headers }, resolve).on('error', reject);
  });
  expect(response.statusCode).toBe(200);
  expect(await text(response)).toBe('[]');
  expect(mock.requests()).toMatchObject([{ operation: 'listStreams' }]);
});

describe.concurrent('of two tests at once', () => {
  test('the first goes on', async ({ mock }) => {
    await fetch('http://127.0.0.1:4100/api/stream', { headers });
    expect(mock.requests()).toHaveLength(1);
  });

  test.fails('the other fails', ({ mock }) => {
    expect(mock.requests()).toEqual([]);
  });
});

describe('a request that is not below the base URL', () => {
  /** A service besides the mock, and what was written to standard error. */
  async function startOther() {
    const other = http.createServer((_, response) => response.end('from the network'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const said: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write');
    stderr.mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => {
      stderr.mockRestore();
      other.close();
    });
    return { origin: `http://127.0.0.1:${port}`, said };
  }

  test('goes to the network, and the first one to an origin is named', async () => {
    const { origin, said } = await startOther();
    for (const path of ['stream?key=secret', 'session']) {
      const response = await fetch(`${origin}/v2/${path}`);
      expect(await response.text()).toBe('from the network');
    }
    expect(said).toEqual([
      expect.stringContaining(
        `GET ${origin}/v2/stream is not below the base URL http://127.0.0.1:4100/api, so it goes to the network`,
      ),
    ]);
  });

  describe('with onUnhandledRequest: bypass', () => {
    test.override({ livestream: { onUnhandledRequest: 'bypass' } });

    test('goes to the network without a word', async () => {
      const { origin, said } = await startOther();
      expect((await fetch(`${origin}/v2/stream`)).status).toBe(200);
      expect(said).toEqual([]);
    });
  });
});

test.fails('a fault that matches no request fails its test', ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
});
