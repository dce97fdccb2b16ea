import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  type JsonObject,
  readObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { get, streamPath } from '../../../conformance/target/operations.ts';
import { isObject } from '../../json.ts';
import { filteredSessionsPath, sessionPath } from './list-sessions.ts';
import { type ProbeContext, showsJson } from './probe.ts';
import { queriesForNew, queryForId } from './search-streams.ts';

/** A session, and the path at which it was shown. */
interface FoundSession {
  readonly session: JsonObject;
  readonly path: string;
}

/** Where a service may show a new session without its stream, the plainest first. */
export function placesOf(streamId: string, id: unknown): string[] {
  const queries = [...queriesForNew, queryForId(id)];
  return [
    sessionPath(id),
    filteredSessionsPath(streamId),
    streamPath(id),
    ...queries.map((query) => `/session${query}`),
    ...queries.map((query) => `/stream${query}`),
  ];
}

/** Where a service may show a session among those of its stream. */
export function placesInStream(streamId: string): string[] {
  return ['', '?record=0', '?record=1'].map((query) => `${streamPath(streamId)}/sessions${query}`);
}

/** The first of some paths that shows a session; `undefined` if none does. */
export async function findSession(
  { send }: ProbeContext,
  paths: readonly string[],
  id: unknown,
): Promise<FoundSession | undefined> {
  for (const path of paths) {
    const response = await send(get(path));
    if (!showsJson(response)) continue;
    const session = recordsIn(response).find((one) => one['id'] === id);
    if (session !== undefined) return { session, path };
  }
  return undefined;
}

/** The records of a list, or the one that is the body or within {"stream"}. */
function recordsIn(response: TargetResponse): readonly JsonObject[] {
  if (response.text.trimStart().startsWith('[')) return readObjects(response);
  const body = readObject(response);
  return isObject(body['stream']) ? [body, body['stream']] : [body];
}
