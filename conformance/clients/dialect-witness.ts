import type { Dialect } from '../../interface/dialect/dialect.ts';
import { isControlRequest } from '../../mocks/messages/tester-request.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { ExportedState } from '../../mocks/service/exported-state.ts';

/**
 * Finds out whether a dialect changes the response to a request: a mock with it and a plain one both answer it, on a
 * copy of the world as it is now. Requests without a world, such as those for media, count as unchanged.
 */
export async function isChangedByDialect(
  mock: Mock,
  dialect: Dialect,
  request: Request,
): Promise<boolean> {
  const apiKey = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (apiKey === undefined || isControlRequest(request)) return false;
  // The mock refuses another key, with a dialect and without.
  const world = await mock.world(apiKey).catch(() => undefined);
  if (world === undefined) return false;
  const { dialect: _, ...plain } = world.exportState();
  const respond = (state: ExportedState): Promise<string> =>
    respondOnCopy(state, apiKey, request.clone());
  return (await respond({ ...plain, dialect })) !== (await respond(plain));
}

/** Everything in a response that a client can tell apart, of a mock whose state says which dialect it has. */
async function respondOnCopy(
  state: ExportedState,
  apiKey: string,
  request: Request,
): Promise<string> {
  const copy = createMock({ world: state, apiKeys: [apiKey] });
  const { status, headers, body } = await copy.fetch(request);
  const text = body === null ? '' : await new Response(body).text();
  return JSON.stringify([status, [...headers].sort(), text]);
}
