import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get } from '../../../conformance/target/operations.ts';
import { pathSegment } from '../../../conformance/target/target.ts';
import type { ProbeContext } from './probe.ts';

/** Path of a session. @throws Blocked for an id that fits into no path */
export function sessionPath(id: unknown): string {
  return `/session/${pathSegment(id)}`;
}

/** Path of the list of all sessions, restricted to those of a stream. @throws as {@link sessionPath} does */
export function filteredSessionsPath(streamId: unknown): string {
  return `/session?parentId=${pathSegment(streamId)}`;
}

/** The sessions on the first page of a list. @throws Blocked where it is refused */
export async function listSessions(context: ProbeContext, path: string): Promise<JsonObject[]> {
  const response = await context.send(get(path));
  if (isSuccess(response)) return readObjects(response);
  throw new Blocked(
    `a list of sessions: GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`,
  );
}

/** Whether a session's recording is available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}
