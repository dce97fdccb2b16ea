import { type HttpHandler, http } from 'msw';
import type { Mock } from '../../mock.ts';
import { type BaseUrlOptions, coveredBy, usualBaseUrl } from '../address.ts';

export type { BaseUrlOptions } from '../address.ts';

/**
 * Handlers for `setupServer` (Node) and `setupWorker` (browser) of MSW, by which a mock answers
 * every request below `baseUrl`, and those for its media.
 *
 * @throws RangeError when `baseUrl` is no URL, or its path is not the mock's prefix.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { handlers } from 'livestream-mock/msw';
 * import { setupServer } from 'msw/node';
 *
 * const baseUrl = 'https://livestream.test/api';
 * const server = setupServer(...handlers(createMock({ world: 'demo' }), { baseUrl }));
 * server.listen();
 * const answer = await fetch(`${baseUrl}/stream`, {
 *   headers: { authorization: 'Bearer test-demo' },
 * });
 * console.log(answer.status); // 200
 * server.close();
 * ```
 */
export function handlers(mock: Mock, options: BaseUrlOptions = {}): HttpHandler[] {
  const covers = coveredBy(mock, options.baseUrl ?? usualBaseUrl);
  const handler = http.all(
    ({ request }) => covers(request.url),
    async ({ request }) => endWith(request.signal, await mock.fetch(request)),
  );
  return [keepMediaOutOfLog(handler)];
}

/** Events never end, and the copy that MSW 2 has of them goes on when a client has gone. */
function endWith(signal: AbortSignal, answer: Response): Response {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  return new Response(answer.body?.pipeThrough(new TransformStream(), { signal }) ?? null, answer);
}

/** In a browser MSW logs every answer, and reads it to its end for that: hundreds of megabytes. */
function keepMediaOutOfLog(handler: HttpHandler): HttpHandler {
  const log = handler.log.bind(handler);
  handler.log = (entry) => {
    const { response } = entry;
    if (response.headers.get('content-type')?.startsWith('application/json')) return log(entry);
    response.body?.cancel().catch(() => {});
    return log({ ...entry, response: new Response(null, response) });
  };
  return handler;
}
