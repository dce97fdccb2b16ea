import type { Send } from '../../conformance/target/exchange.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { createMock } from '../../mocks/mock.ts';
import type { CompareOptions } from './options.ts';

export const apiKey: string = 'test-compared';

export function dialectOf(rows: Partial<Behaviours>): Dialect {
  return { format: 'livestream-mock/dialect', version: 1, rows };
}

/** Time that moves only when somebody waits. */
function standingClock(): Required<Pick<CompareOptions, 'now' | 'pause'>> {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds;
    },
  };
}

/** A service whose new streams show more keys, or other values, and whose response may have other headers. */
export function showingInNew(more: object, headers?: HeadersInit): (send: Send) => Send {
  return (send) => async (request) => {
    const response = await send(request);
    const isCreated = request.method === 'POST' && response.status === 201;
    if (!isCreated || request.url.includes('_mock')) return response;
    const shown = { ...(await response.json()), ...more };
    return Response.json(shown, { status: 201, headers: headers ?? response.headers });
  };
}

/** Options that compare a mock in this process, changed by `wrap`, with the mock as it is. */
export function against(
  rows: Partial<Behaviours>,
  wrap: (send: Send) => Send = (send) => send,
): CompareOptions {
  const clock = standingClock();
  const mock = createMock({ now: clock.now, dialect: dialectOf(rows) });
  return {
    baseUrl: 'http://service.test/api',
    apiKey,
    otherApiKey: 'test-elsewhere',
    provider: { controlUrl: 'http://service.test/_mock' },
    send: wrap(mock.fetch),
    time: 120_000_000,
    ...clock,
  };
}
