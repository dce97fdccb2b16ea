import {
  ask,
  type Fetch,
  type JsonObject,
  type Mutant,
  readBody,
  rewriteResponse,
  withJson,
} from './mutant.ts';

/** Which request to change a record value has a say over sessions that exist already. */
type Occasion = { readonly record: boolean } | 'session';

const recordPath = /^(.*)\/stream\/([^/]+)\/record$/;

/**
 * Changes sessions that exist already when recording is switched: a stream's, or the one that the
 * request names. In the list each becomes what `change` makes of it; `undefined` leaves it out.
 */
export function rewriteHistory(
  occasion: Occasion,
  change: (session: JsonObject) => JsonObject | undefined,
): Mutant['make'] {
  return (next, applied) => {
    const touched = new Map<string, JsonObject>();
    const remember = async (request: Request): Promise<void> => {
      const [, base, id] = recordPath.exec(new URL(request.url).pathname) ?? [];
      if (request.method !== 'PATCH' || base === undefined || id === undefined) return;
      for (const session of await findTouched(occasion, { request, next, base, id })) {
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
  occasion: Occasion,
  { request, next, base, id }: { request: Request; next: Fetch; base: string; id: string },
): Promise<JsonObject[]> {
  const { record } = await readBody(request);
  if (occasion === 'session') {
    const response = await next(ask(request, 'GET', `${base}/session/${id}`));
    if (!response.ok) return [];
    const session = (await response.json()) as JsonObject;
    return session['record'] === record ? [] : [session];
  }
  if (record !== occasion.record) return [];
  const response = await next(ask(request, 'GET', `${base}/stream/${id}/sessions`));
  if (!response.ok) return [];
  const sessions = (await response.json()) as JsonObject[];
  // A session that is switched on stays what it is: only a change of its value touches it.
  return sessions.filter((session) => session['record'] !== record);
}
