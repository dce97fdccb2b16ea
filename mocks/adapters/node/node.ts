import type { Mock } from '../../mock.ts';
import { refuseUnknownOptions } from '../../mock-options.ts';
import { type MockServer, type ServeOptions, startServer } from './http-server.ts';

export { type FileStore, fileStore } from '../../stores/file.ts';
export { type RedisStore, type RedisStoreOptions, redisStore } from '../../stores/redis.ts';
export type { MockServer, ServeOptions } from './http-server.ts';

/**
 * Serves a mock over HTTP. Anyone who can reach `host` can use the mock, control it and read its journal. There is no
 * warning if `host` is not the loopback address.
 *
 * A mock whose `fetch` you have wrapped gets light requests, which Node's `Request` does not recognize as its own: copy
 * one with `new Request(request.url, request)` or `request.clone()`.
 *
 * @throws TypeError for an unknown option; RangeError for an invalid host, port or origin; Error of Node's `listen`, with its
 * `code`.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { serve } from 'livestream-mock/node';
 *
 * const mock = createMock({ world: 'demo', now: Date.now });
 * const server = await serve(mock);
 * const response = await fetch(`${server.baseUrl}/stream`, {
 *   headers: { authorization: `Bearer ${mock.apiKey}` },
 * });
 * console.log(response.status); // 200
 * await server.close();
 * ```
 */
export async function serve(mock: Mock, options: ServeOptions = {}): Promise<MockServer> {
  refuseUnknownOptions(options, {
    port: true,
    host: true,
    controlOrigins: true,
    rtmp: true,
    whip: true,
    whipHost: true,
  });
  return startServer(mock, options);
}
