import type { Mock } from '../../mock.ts';
import { type MockServer, startServer } from './http-server.ts';

export { type FileStore, fileStore } from '../../stores/file.ts';
export type { MockServer } from './http-server.ts';

/** Where a mock listens; every key may be left out. */
export interface ServeOptions {
  /** 0 picks a free port; 0 unless given. */
  port?: number;
  /** Address to listen on; the loopback address `127.0.0.1` unless given. */
  host?: string;
  /**
   * Origins whose pages may use the control API, beside the server's own, and which may be its own by
   * another name, such as `http://mock:4100`; none unless given.
   */
  controlOrigins?: readonly string[];
}

/**
 * Serves a mock over HTTP. Whoever reaches `host` can use the mock, steer it and read its journal;
 * where that is not the loopback address, nothing but this says so.
 *
 * @throws RangeError for what is no host; Error as Node's `listen` does, with its `code`.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { serve } from 'livestream-mock/node';
 *
 * const mock = createMock({ world: 'demo', now: Date.now });
 * const server = await serve(mock);
 * const answer = await fetch(`${server.baseUrl}/stream`, {
 *   headers: { authorization: `Bearer ${mock.apiKey}` },
 * });
 * console.log(answer.status); // 200
 * await server.close();
 * ```
 */
export function serve(mock: Mock, options: ServeOptions = {}): Promise<MockServer> {
  const { port = 0, host = '127.0.0.1', controlOrigins = [] } = options;
  return startServer(mock, { port, host, controlOrigins, ownsProcess: false });
}
