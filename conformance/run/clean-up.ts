import { listRecorded } from '../sessions/recorded-list.ts';
import type { Creations } from '../target/creations.ts';
import { isSuccess, type JsonObject } from '../target/expectations.ts';
import { asGiven, fetchMedia, playlistLimit } from '../target/fetch-media.ts';
import { streamPath } from '../target/operations.ts';
import { type Call, callTarget, type Target } from '../target/target.ts';
import { inParallel } from './parallel.ts';

/** When cleaning up is to be short. */
interface CleanUpSignals {
  /** Aborted where the run was interrupted. */
  readonly stop: AbortSignal;
  /** Aborted where it is to end at once. */
  readonly hurry: AbortSignal | undefined;
}

/** Milliseconds that cleaning up may take: of a run that has ended, and from its interruption. */
const longest = { ended: 30_000, interrupted: 5_000 };

/**
 * Deletes the streams that the suite created, where the target can, those too whose creation has not
 * been answered yet. Resolves to what stays on the target: streams, their recorded sessions and their
 * recordings, a line each. What it did not get to counts as staying.
 */
export async function cleanUp(
  target: Target,
  creations: Creations,
  { stop, hurry }: CleanUpSignals,
): Promise<string[]> {
  const left = new Map<string, readonly string[]>();
  const deadline = createDeadline(stop, hurry);
  await Promise.race([deadline.passed, deleteAll(target, creations, left, deadline.hasPassed)]);
  deadline.cancel();
  const lines = [...new Set(creations.streams)].flatMap((id) => left.get(id) ?? [`stream ${id}`]);
  const unknown = [...creations.underWay].map(
    () => 'perhaps a stream whose creation was not answered before the run ended',
  );
  return [...lines, ...unknown].map((line) => line.slice(0, longestLine));
}

/** Notes for each stream what stays of it. */
async function deleteAll(
  target: Target,
  { streams, live, underWay }: Creations,
  left: Map<string, readonly string[]>,
  hasPassed: () => boolean,
): Promise<void> {
  for (;;) {
    const ids = [...new Set(streams)].filter((id) => !left.has(id));
    if (hasPassed() || (ids.length === 0 && underWay.size === 0)) return;
    if (ids.length === 0) await Promise.race(underWay).catch(() => {});
    await inParallel(ids, 8, async (id) => {
      if (hasPassed()) return;
      const sessions = live.has(id) ? await sessionsOf(target, id) : [];
      const deleted = await remove(target, id);
      const rest = await remaining(target, id, sessions);
      left.set(id, deleted ? rest : [`stream ${id}`, ...rest]);
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
  return {
    passed,
    hasPassed: () => over,
    cancel: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
}

const longestLine = 2_000;

async function remove(target: Target, id: string): Promise<boolean> {
  const call = async (): Promise<boolean> =>
    isSuccess(await callTarget(target, { method: 'DELETE', path: streamPath(id) }, () => {}));
  return call().catch(() => false);
}

/** Sessions of a stream that are looked for: more than the suite makes of one. */
const mostSessions = 8;

async function sessionsOf(target: Target, id: string): Promise<readonly JsonObject[]> {
  const call = (request: Call) => callTarget(target, request, () => {});
  const sessions = await listRecorded(call, id).catch(() => []);
  return sessions.slice(0, mostSessions);
}

/** Deleting a stream may leave its sessions, and a session that is gone its recording. */
async function remaining(
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
    if (await responses(target, session)) lines.push(`recording ${recordingUrl}`);
  }
  return lines;
}

/** Whether a recording can still be fetched; nothing of it is held in memory. */
async function responses(target: Target, session: JsonObject): Promise<boolean> {
  const address = session['recordingUrl'];
  if (typeof address !== 'string') return false;
  const media = asGiven(address, session);
  return fetchMedia(target, media, () => {}, { onChunk: () => {}, limit: playlistLimit }).then(
    isSuccess,
    () => false,
  );
}
