import { type HttpHandler, http, passthrough } from 'msw';
import type { Mock } from '../mock.ts';
import { refuseUnknownOptions } from '../mock-options.ts';
import { type BaseUrlOptions, coveredBy, defaultBaseUrl } from './base-url.ts';
import { createReporter } from './report-evidence.ts';

export type { BaseUrlOptions } from './base-url.ts';

/** Which requests a mock answers in MSW, and where it reports them. */
export interface HandlerOptions extends BaseUrlOptions {
  /**
   * Where the mock reports what its variant changed, and what the app sent, after every response: the value of
   * `LIVESTREAM_EVIDENCE_URL`, which `livestream-mock check-client` sets. Default: nowhere, as with an empty text.
   */
  evidenceUrl?: string | undefined;
}

/**
 * Makes handlers for `setupServer` (Node) and `setupWorker` (browser) of MSW. With them, a mock answers every request
 * below `baseUrl`, and those for its media.
 *
 * @throws TypeError for an unknown option; RangeError if `baseUrl` is not a URL, or its path is not the mock's prefix.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { handlers } from 'livestream-mock/msw';
 * import { setupServer } from 'msw/node';
 *
 * const baseUrl = 'https://livestream.test/api';
 * const server = setupServer(...handlers(createMock({ world: 'demo' }), { baseUrl }));
 * server.listen();
 * const response = await fetch(`${baseUrl}/stream`, {
 *   headers: { authorization: 'Bearer test-demo' },
 * });
 * console.log(response.status); // 200
 * server.close();
 * ```
 */
export function handlers(mock: Mock, options: HandlerOptions = {}): HttpHandler[] {
  refuseUnknownOptions(options, { baseUrl: true, evidenceUrl: true });
  const { evidenceUrl = '' } = options;
  const covers = coveredBy(mock, options.baseUrl ?? defaultBaseUrl);
  const report = evidenceUrl === '' ? undefined : createReporter(mock, evidenceUrl);
  const handler = http.all(
    ({ request }) => covers(request.url),
    async ({ request }) => {
      const response = await mock.fetch(request);
      await report?.();
      return endWith(request.signal, response);
    },
  );
  const reports = http.post(
    ({ request }) => request.url === evidenceUrl,
    () => passthrough(),
  );
  return [...(report === undefined ? [] : [reports]), withoutMediaInLog(handler)];
}

/** Ends a stream of events when its client goes away. Otherwise MSW 2 would read its own copy for ever. */
function endWith(signal: AbortSignal, response: Response): Response {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const body = response.body?.pipeThrough(new TransformStream(), { signal }) ?? null;
  return new Response(body, response);
}

/**
 * Leaves media out of MSW's log, in which one playback would make hundreds of entries. In a browser, MSW also reads a
 * copy of every response to its end for the log (https://github.com/mswjs/msw/pull/1662), but a recording can have
 * hundreds of megabytes, and events never end. The log gets only bodies that a client gets, too: MSW does not wait for
 * the log, so an error in it would be an error of the page.
 */
function withoutMediaInLog(handler: HttpHandler): HttpHandler {
  const log = handler.log.bind(handler);
  handler.log = async (entry): Promise<void> => {
    const { response } = entry;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) {
      // A body that breaks off, because of a fault or because the client has gone away, is logged as none.
      const body = await response.text().catch(() => '');
      return log({ ...entry, response: withBody(response, body || null) });
    }
    response.body?.cancel().catch(() => {});
    if (!mediaType.test(type)) await log({ ...entry, response: withBody(response, null) });
  };
  return handler;
}

/** A response with another body. That of a broken connection has none, and cannot be copied. */
function withBody(response: Response, body: string | null): Response {
  return response.type === 'error' ? response : new Response(body, response);
}

const mediaType = /^(video\/mp4|application\/vnd\.apple\.mpegurl)/;
