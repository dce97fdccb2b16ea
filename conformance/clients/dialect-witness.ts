import type { Dialect } from '../../interface/dialect/dialect.ts';
import { isControlRequest } from '../../mocks/messages/tester-request.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { ExportedState } from '../../mocks/service/exported-state.ts';

/** A mock without a dialect. */
const plainDialect: Dialect = { dialect: 2 };

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
  const world = (await mock.worlds()).find((opened) => opened.apiKey === apiKey);
  if (apiKey === undefined || world === undefined || isControlRequest(request)) return false;
  // A state is otherwise refused by a mock of another dialect.
  const { dialect: _, ...state } = world.exportState();
  const respond = (asDialect: Dialect): Promise<string> =>
    respondOnCopy(state, asDialect, apiKey, request.clone());
  return (await respond(dialect)) !== (await respond(plainDialect));
}

async function respondOnCopy(
  state: ExportedState,
  dialect: Dialect,
  apiKey: string,
  request: Request,
): Promise<string> {
  const copy = createMock({ world: state, dialect, apiKeys: [apiKey] });
  const { status, headers, body } = await copy.fetch(request);
  const text = body === null ? '' : await new Response(body).text();
  return JSON.stringify([status, [...headers].sort(), text]);
}
