import {
  ask,
  type Fetch,
  type JsonObject,
  type Mutant,
  readBody,
  rewriteResponse,
  withJson,
} from './mutant.ts';

/** Which request changes existing sessions: a switch of their stream, to a value or while live, or one of their own. */
type Trigger = { readonly record: boolean } | 'live' | 'session';

const recordPath = /^(.*)\/stream\/([^/]+)\/record$/;

/**
 * Changes existing sessions when a request switches recording. From then on, the list has what
 * `change` makes of each; `undefined` leaves it out.
 */
export function rewriteHistory(
  trigger: Trigger,
  change: (session: JsonObject) => JsonObject | undefined,
): Mutant['make'] {
  return (next, applied) => {
    const touched = new Map<string, JsonObject>();
    const remember = async (request: Request): Promise<void> => {
      const [, base, id] = recordPath.exec(new URL(request.url).pathname) ?? [];
      if (request.method !== 'PATCH' || base === undefined || id === undefined) return;
      for (const session of await findTouched(trigger, { request, next, base, id })) {
        touched.set(String(session['id']), session);
      }
    };
    const listed = rewriteResponse('list', async (response, { id }) => {
      if (!response.ok) return undefined;
      const before = (await response.clone().json()) as JsonObject[];
      const own = [...touched.values()].filter((session) => session['parentId'] === id);
      const after = [
        ...own.map(change).filter((session) => session !== undefined),
        ...before.filter((session) => !touched.has(String(session['id']))),
      ];
      const same = JSON.stringify(after) === JSON.stringify(before);
      return same ? undefined : withJson(response, after);
    })(next, applied);
    return async (request) => {
      await remember(request);
      return listed(request);
    };
  };
}

async function findTouched(
  trigger: Trigger,
  { request, next, base, id }: { request: Request; next: Fetch; base: string; id: string },
): Promise<JsonObject[]> {
  const { record } = await readBody(request);
  if (trigger === 'session') {
    const response = await next(ask(request, 'GET', `${base}/session/${id}`));
    if (!response.ok) return [];
    const session = (await response.json()) as JsonObject;
    return session['record'] === record ? [] : [session];
  }
  if (trigger !== 'live' && record !== trigger.record) return [];
  const response = await next(ask(request, 'GET', `${base}/stream/${id}/sessions`));
  if (!response.ok) return [];
  const sessions = (await response.json()) as JsonObject[];
  // A session that has the value already does not change.
  return sessions.filter((session) =>
    trigger === 'live' ? session['isActive'] : session['record'] !== record,
  );
}
