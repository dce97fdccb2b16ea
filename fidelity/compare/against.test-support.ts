import { createMock } from '../../mocks/mock.ts';
import type { Send } from '../../target/requests/exchange.ts';
import { standingClock } from '../clock.test-support.ts';
import { connect } from '../target-connection.ts';
import type { CompareOptions } from './compare.ts';
import type { Finding } from './equality.ts';
import type { Move } from './moves.ts';
import { connectMock } from './search.ts';
import { startRun } from './sequence-run.ts';
import { runSequence, type SequenceStep } from './sequence-steps.ts';

export const apiKey: string = 'test-compared';

/** Changes what a mock answers. */
export type Alteration = (send: Send) => Send;

/** A service that gives another response to some requests of the interface. */
export function answering(
  change: (
    request: Request,
    response: Response,
  ) => Response | undefined | Promise<Response | undefined>,
): Alteration {
  return (send) => async (request) => {
    const body = request.clone();
    const response = await send(request);
    if (request.url.includes('_mock')) return response;
    return (await change(body, response)) ?? response;
  };
}

/** A service whose deletions show what they deleted. */
export const showsDeleted: Alteration = answering(({ method, url }, response) =>
  method === 'DELETE' && response.status === 204 && !url.endsWith('/terminate')
    ? Response.json({})
    : undefined,
);
export const shownDeleted = 'deleteStream | status | 200 ≠ 204';

/** A service whose responses have no header of this name. */
export function without(header: string): Alteration {
  return answering((_, response) => {
    response.headers.delete(header);
    return response;
  });
}

/** A service whose new streams show more keys, or other values. */
export function showingInNew(more: object): Alteration {
  return answering(async ({ method }, response) =>
    method === 'POST' && response.status === 201
      ? Response.json({ ...(await response.json()), ...more }, response)
      : undefined,
  );
}

/** Options that compare a mock in this process, changed, with the mock as it is. */
export function against(
  change: Alteration = (send) => send,
  options: Parameters<typeof createMock>[0] = {},
): CompareOptions {
  const clock = standingClock();
  const mock = createMock({ now: clock.now, ...options });
  return {
    baseUrl: 'http://service.test/api',
    apiKey,
    provider: { controlUrl: 'http://service.test/_mock' },
    send: change(mock.fetch),
    time: 120_000_000,
    // A mock in this process keeps none of them.
    maxSessions: 100_000,
    ...clock,
  };
}

/** What a sequence does on a mock, changed if `change` says how, and on the mock as it is. */
export async function runAgainst(
  moves: readonly Move[],
  change?: Alteration,
): Promise<readonly SequenceStep[]> {
  const { now = Date.now, pause = async () => {}, ...options } = against(change);
  const services = [connect(options), connectMock({ now })] as const;
  const run = startRun({
    clock: { now, pause },
    patience: 10_000,
    services,
    sharedLists: new Set(),
  });
  return await runSequence(run, moves);
}

/** How a changed mock differs from the mock as it is in one sequence. */
export async function findingsIn(change: Alteration, moves: readonly Move[]): Promise<Finding[]> {
  const steps = await runAgainst(moves, change);
  return steps.flatMap(({ findings }) => findings);
}
