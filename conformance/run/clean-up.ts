import { listRecorded } from '../sessions/recorded-list.ts';
import type { Creations } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { isSuccess, type JsonObject, readObjects } from '../target/expectations.ts';
import { isOfTarget, NoResponse } from '../target/failure.ts';
import { addressOf, fetchMedia, playlistLimit } from '../target/fetch-media.ts';
import { pagesOf } from '../target/next-page.ts';
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
 * response yet, and then what lists still show as theirs. Resolves to what remains on the target, one
 * line for each stream, session and recording. What there was no time for counts as remaining.
 */
export async function cleanUp(
  target: Target,
  creations: Creations,
  { stop, hurry }: CleanUpSignals,
): Promise<string[]> {
  const remaining = new Map<string, readonly string[]>();
  const children = new Map<string, string>();
  const seen = new Map<string, string>();
  const deadline = createDeadline(stop, hurry);
  const { hasPassed } = deadline;
  const isShort = stop.aborted && creations.live.size > 0;
  await Promise.race([
    deadline.passed,
    Promise.all([
      deleteAll(target, creations, remaining, hasPassed),
      // Where deleting takes long, there is no time to look for them afterwards.
      isShort && findChildren(target, creations.live, seen, hasPassed),
    ]).then(() => deleteChildren(target, creations, children, hasPassed)),
  ]);
  deadline.cancel();
  const lines = [...new Set(creations.streams)].flatMap(
    (id) => remaining.get(id) ?? [`stream ${id}`],
  );
  const unknown = [...creations.underWay].map(
    () => 'perhaps a stream: the run ended before the response to its creation came',
  );
  if (hasPassed() && creations.live.size > 0) {
    for (const [id, parentId] of seen) {
      if (lines.includes(`stream ${parentId}`)) children.set(id, parentId);
    }
    unknown.push('perhaps sessions of its streams: there was no time to look for all of them');
  }
  const sessions = [...children].map(([id, parentId]) => `session ${id} of stream ${parentId}`);
  // Each creation under way has a line of its own.
  const all = [...new Set([...lines, ...sessions, ...creations.unknown]), ...unknown];
  return all.map((line) => line.slice(0, longestLine));
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
    await inParallel(ids, deletedAtOnce, async (id) => {
      if (hasPassed()) return;
      const sessions = live.has(id) ? await sessionsOf(target, id) : [];
      const isDeleted = (await deleteStream(target, id)) === 'deleted';
      const rest = await findRemaining(target, id, sessions);
      remaining.set(id, isDeleted ? rest : [`stream ${id}`, ...rest]);
    });
  }
}

const deletedAtOnce = 8;

/**
 * Deletes sessions of the run that lists show as streams of their own, or beside a stream that is gone.
 * Notes those that are still shown.
 */
async function deleteChildren(
  target: Target,
  { live }: Creations,
  remaining: Map<string, string>,
  hasPassed: () => boolean,
): Promise<void> {
  if (live.size === 0) return;
  await findChildren(target, live, remaining, hasPassed);
  if (remaining.size === 0) return;
  await inParallel([...remaining.keys()], deletedAtOnce, async (id) => {
    if (!hasPassed()) await deleteSession(target, id);
  });
  const shown = new Map<string, string>();
  await findChildren(target, live, shown, hasPassed);
  for (const id of remaining.keys()) {
    if (!shown.has(id) && !hasPassed()) remaining.delete(id);
  }
}

const mostChildren = 1_000;

/** Notes the stream of each session of the run that a list shows: of all streams, and of sessions. */
async function findChildren(
  target: Target,
  live: ReadonlySet<string>,
  found: Map<string, string>,
  hasPassed: () => boolean,
): Promise<void> {
  const call = (request: Call) => callTarget(target, request, () => {});
  /** Resolves to whether the target has a list at this path. */
  const look = async (path: string): Promise<boolean> => {
    let isListed = false;
    try {
      for await (const page of pagesOf(call, path, hasPassed)) {
        const records = readObjects(page);
        isListed = true;
        noteChildren(target, records, found);
        if (found.size >= mostChildren) break;
      }
    } catch (error) {
      if (!isOfTarget(error)) throw error;
    }
    return isListed;
  };
  await look('/stream');
  if (await look('/session')) return;
  await inParallel([...live], deletedAtOnce, async (id) => {
    const path = `/stream/${encodeURIComponent(id.toWellFormed())}/sessions`;
    return (await look(path)) || look(`${path}?record=1`);
  });
}

function noteChildren(
  { gate }: Target,
  records: readonly JsonObject[],
  found: Map<string, string>,
): void {
  for (const { id, parentId } of records) {
    if (typeof id === 'string' && gate.owns(parentId)) found.set(id, String(parentId));
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
  // A target may have shown it as one of a stream that the user named.
  if (!target.gate.owns(id)) return 'failed';
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
  let listed = await idsOf(target, streamId);
  // Where sessions are streams of their own, they may be deleted as such.
  const deleted = await Promise.all(
    sessions.map(async ({ id }) => listed.has(id) && (await deleteSession(target, id))),
  );
  if (deleted.includes(true)) listed = await idsOf(target, streamId);
  const lines: string[] = [];
  for (const session of sessions) {
    const { id, recordingUrl } = session;
    if (listed.has(id)) lines.push(`session ${id} of stream ${streamId}`);
    if (await hasRecording(target, session)) lines.push(`recording ${recordingUrl}`);
  }
  return lines;
}

async function idsOf(target: Target, streamId: string): Promise<ReadonlySet<unknown>> {
  return new Set((await sessionsOf(target, streamId)).map(({ id }) => id));
}

/** Whether a session was deleted as if it were a stream. */
async function deleteSession(target: Target, id: unknown): Promise<boolean> {
  if (typeof id !== 'string') return false;
  return (await deleteStream(target, id).catch(() => 'failed')) === 'deleted';
}

/** Whether a recording can still be fetched; it is not held in memory. */
async function hasRecording(target: Target, session: JsonObject): Promise<boolean> {
  const { recordingUrl } = session;
  if (typeof recordingUrl !== 'string') return false;
  const media = addressOf(session, recordingUrl);
  const reading = { onChunk: () => {}, limit: playlistLimit };
  return fetchMedia(target, media, () => {}, reading).then(isSuccess, () => false);
}
