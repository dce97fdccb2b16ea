import type { Creations } from './creations.ts';
import type { Answer } from './exchange.ts';
import type { JsonObject } from './expectations.ts';
import { asGiven, fetchMedia } from './fetch-media.ts';
import { streamPath } from './operations.ts';
import { inParallel } from './parallel.ts';
import { listRecorded } from './recorded-list.ts';
import { type Call, callTarget, type Target } from './target.ts';

/** When cleaning up is to be short. */
interface CleanUpSignals {
  /** Aborted where the run was interrupted: what is not deleted within 5 s of it stays. */
  readonly stop: AbortSignal;
  /** Aborted where it is to end at once. */
  readonly hurry: AbortSignal | undefined;
}

/** Milliseconds from an interruption: until cleaning up begins at the latest, and until it ends. */
const times = { begin: 2_000, end: 5_000 };

/**
 * Deletes the streams that the suite created, where the target can. Resolves to what stays on the
 * target: streams, their recorded sessions and their recordings, a line each. What it did not get to
 * counts as staying.
 */
export async function cleanUp(
  target: Target,
  { streams, live, underWay }: Creations,
  { stop, hurry }: CleanUpSignals,
): Promise<string[]> {
  const ended = new Promise<void>((resolve) => {
    whenAborted(hurry, resolve);
    whenAborted(stop, () => void setTimeout(resolve, times.end));
  });
  if (stop.aborted) {
    // A stream that is being created is known when its answer is there.
    const waited = new Promise((resolve) => setTimeout(resolve, times.begin));
    await Promise.race([Promise.allSettled(underWay), waited, ended]);
  }
  const left = new Map(streams.map((id) => [id, [`stream ${id}`]]));
  const work = inParallel([...left.keys()], 8, async (id) => {
    const sessions = live.has(id) ? await sessionsOf(target, id) : [];
    const deleted = await remove(target, id);
    left.set(id, [
      ...(deleted ? [] : [`stream ${id}`]),
      ...(await remaining(target, id, sessions)),
    ]);
  });
  await Promise.race([work, ended]);
  return [...left.values()].flat().map((line) => line.slice(0, longestLine));
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
}

const longestLine = 2_000;
const playlistLimit = 4 * 1024 * 1024;

async function remove(target: Target, id: string): Promise<boolean> {
  try {
    return isSuccess(
      await callTarget(target, { method: 'DELETE', path: streamPath(id) }, () => {}),
    );
  } catch {
    return false;
  }
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

async function sessionsOf(target: Target, id: string): Promise<readonly JsonObject[]> {
  const call = (request: Call) => callTarget(target, request, () => {});
  return listRecorded(call, id).catch(() => []);
}

/** Deleting a stream may leave its sessions, and a session that is gone its recording. */
async function remaining(
  target: Target,
  streamId: string,
  sessions: readonly JsonObject[],
): Promise<string[]> {
  if (sessions.length === 0) return [];
  const listed = new Set((await sessionsOf(target, streamId)).map(({ id }) => id));
  const lines = sessions.map(async (session) => [
    ...(listed.has(session['id']) ? [`session ${session['id']} of stream ${streamId}`] : []),
    ...((await answers(target, session)) ? [`recording ${session['recordingUrl']}`] : []),
  ]);
  return (await Promise.all(lines)).flat();
}

async function answers(target: Target, session: JsonObject): Promise<boolean> {
  const address = session['recordingUrl'];
  if (typeof address !== 'string') return false;
  return fetchMedia(target, asGiven(address, session), () => {}, { limit: playlistLimit }).then(
    isSuccess,
    () => false,
  );
}
