import { listRecorded } from '../sessions/recorded-list.ts';
import type { Creations } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { isSuccess, type JsonObject } from '../target/expectations.ts';
import { NoResponse } from '../target/failure.ts';
import { addressOf, fetchMedia, playlistLimit } from '../target/fetch-media.ts';
import { streamPath } from '../target/operations.ts';
import { type Call, callTarget, type Target } from '../target/target.ts';
import { inParallel } from './parallel.ts';

/** What cuts cleaning up short. */
interface CleanUpSignals {
  /** Aborted if the run was interrupted. */
  readonly stop: AbortSignal;
  /** Aborted if it is to end at once. */
  readonly hurry: AbortSignal | undefined;
}

/** Milliseconds that cleaning up may take: after a whole run, and from an interruption. */
const longest = { ended: 30_000, interrupted: 5_000 };
const longestLine = 2_000;

/**
 * Deletes the streams that the suite created, if the target can, also those whose creation has no
 * response yet. Resolves to what remains on the target, one line for each stream, recorded session
 * and recording. What there was no time for counts as remaining.
 */
export async function cleanUp(
  target: Target,
  creations: Creations,
  { stop, hurry }: CleanUpSignals,
): Promise<string[]> {
  const remaining = new Map<string, readonly string[]>();
  const deadline = createDeadline(stop, hurry);
  await Promise.race([
    deadline.passed,
    deleteAll(target, creations, remaining, deadline.hasPassed),
  ]);
  deadline.cancel();
  const lines = [...new Set(creations.streams)].flatMap(
    (id) => remaining.get(id) ?? [`stream ${id}`],
  );
  const unknown = [...creations.underWay].map(
    () => 'perhaps a stream: the run ended before the response to its creation came',
  );
  return [...lines, ...unknown].map((line) => line.slice(0, longestLine));
}

/** Notes for each stream what remains of it. */
async function deleteAll(
  target: Target,
  { streams, live, underWay }: Creations,
  remaining: Map<string, readonly string[]>,
  hasPassed: () => boolean,
): Promise<void> {
  for (;;) {
    const ids = [...new Set(streams)].filter((id) => !remaining.has(id));
    if (hasPassed() || (ids.length === 0 && underWay.size === 0)) return;
    if (ids.length === 0) await Promise.race(underWay).catch(() => {});
    await inParallel(ids, 8, async (id) => {
      if (hasPassed()) return;
      const sessions = live.has(id) ? await sessionsOf(target, id) : [];
      const isDeleted = (await deleteStream(target, id)) === 'deleted';
      const rest = await findRemaining(target, id, sessions);
      remaining.set(id, isDeleted ? rest : [`stream ${id}`, ...rest]);
    });
  }
}

/** When cleaning up has to end. */
function createDeadline(stop: AbortSignal, hurry: AbortSignal | undefined) {
  const timers: NodeJS.Timeout[] = [];
  let over = false;
  const passed = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true;
      resolve();
    };
    timers.push(setTimeout(end, longest.ended));
    whenAborted(stop, () => void timers.push(setTimeout(end, longest.interrupted)));
    whenAborted(hurry, end);
  });
  return { passed, hasPassed: () => over, cancel: () => timers.forEach(clearTimeout) };
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
}

/** Deletes a stream. A request that meets a connection closed by the target is sent again once. */
export async function deleteStream(
  target: Target,
  id: string,
): Promise<'deleted' | 'not there' | 'failed'> {
  // An id that fits into no path throws here.
  const send = async () =>
    resultOf(await callTarget(target, { method: 'DELETE', path: streamPath(id) }, () => {}));
  try {
    return await send();
  } catch (error) {
    if (!isClosed(error)) return 'failed';
  }
  const again = await send().catch(() => 'failed' as const);
  // The first request deleted it, if it is not there any more.
  return again === 'not there' ? 'deleted' : again;
}

function resultOf(response: TargetResponse): 'deleted' | 'not there' | 'failed' {
  if (isSuccess(response)) return 'deleted';
  return [404, 410].includes(response.status) ? 'not there' : 'failed';
}

function isClosed(error: unknown): boolean {
  return error instanceof NoResponse && ['UND_ERR_SOCKET', 'ECONNRESET'].includes(error.code ?? '');
}

/** Sessions of a stream that are looked for: more than the suite makes of one. */
const mostSessions = 8;

async function sessionsOf(target: Target, id: string): Promise<readonly JsonObject[]> {
  const call = (request: Call) => callTarget(target, request, () => {});
  const sessions = await listRecorded(call, id).catch(() => []);
  return sessions.slice(0, mostSessions);
}

/** Deleting a stream may leave its sessions, and deleting a session its recording. */
async function findRemaining(
  target: Target,
  streamId: string,
  sessions: readonly JsonObject[],
): Promise<string[]> {
  if (sessions.length === 0) return [];
  const listed = new Set((await sessionsOf(target, streamId)).map(({ id }) => id));
  const lines: string[] = [];
  for (const session of sessions) {
    const { id, recordingUrl } = session;
    if (listed.has(id)) lines.push(`session ${id} of stream ${streamId}`);
    if (await hasRecording(target, session)) lines.push(`recording ${recordingUrl}`);
  }
  return lines;
}

/** Whether a recording can still be fetched; it is not held in memory. */
async function hasRecording(target: Target, session: JsonObject): Promise<boolean> {
  const { recordingUrl } = session;
  if (typeof recordingUrl !== 'string') return false;
  const media = addressOf(session, recordingUrl);
  const reading = { onChunk: () => {}, limit: playlistLimit };
  return fetchMedia(target, media, () => {}, reading).then(isSuccess, () => false);
}
