import http from 'node:http';
import { text } from 'node:stream/consumers';
import { HttpResponse, http as rest } from 'msw';
import { describe, expect } from 'vitest';
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

test.fails('a fault that matches no request fails its test', ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
});
