import { once } from 'node:events';
import type { Connection } from './connection.ts';
import { callTarget, type TargetCall } from './requests/call.ts';
import { unlessPrevented } from './requests/failure.ts';
import { isSuccess, readId, readObjects } from './requests/read-response.ts';
import { inParallel, whenAborted } from './requests/scheduling.ts';
import { sendUntil, type Target } from './requests/target.ts';
import { type Creations, named } from './streams/creations.ts';
import { nextPageHeader, pagesOf } from './streams/next-page.ts';
import { get, streamPath } from './streams/stream-requests.ts';

/** How many milliseconds cleaning up may take after a whole run, and after an interruption. */
const maxDuration = { ended: 30_000, interrupted: 5_000 };
const maxLine = 2_000;
/** How many lists may be read of a stream that went live: two kinds, before and after it is deleted. */
const listsOfStream = 4;

/**
 * Deletes the streams that the suite created, including those whose creation has no response yet, and
 * then the sessions that lists still show for them. Resolves to what remains on the target, in lines.
 * Anything not checked in time is reported as remaining.
 */
export async function cleanUp(
  connection: Pick<
    Connection,
    'cleanUpTarget' | 'patience' | 'creations' | 'stopSignal' | 'cleanUpSignal'
  >,
): Promise<string[]> {
  const { cleanUpTarget, patience, creations, stopSignal, cleanUpSignal } = connection;
  const { streams, live, underWay, untouched, unknown } = creations;
  const deleted = new Set<string>();
  let kept: readonly string[] = [];
  let sessions: Sessions = new Map();
  const deadline = new AbortController();
  const { signal } = deadline;
  const passed = once(signal, 'abort');
  const end = (): void => deadline.abort();
  // A target that asks to wait gets as long as a recording does, and few requests a second take their time.
  const endUnlessSlow = (): void => {
    const { pace } = cleanUpTarget;
    const pauses = pace.isLimited() ? Math.max(0, patience - maxDuration.ended) : 0;
    const more = pauses + pace.duration(streams.length + listsOfStream * live.size);
    if (more > 0) timers.push(setTimeout(end, more));
    else end();
  };
  const timers = [setTimeout(endUnlessSlow, maxDuration.ended)];
  whenAborted(stopSignal, () => void timers.push(setTimeout(end, maxDuration.interrupted)), signal);
  whenAborted(cleanUpSignal, end, signal);
  const service = sendUntil(signal, cleanUpTarget);
  const deleteAll = async (): Promise<void> => {
    sessions = await findSessions(service, live);
    await deleteStreams(service, creations, deleted);
    // Sessions may remain or appear once their stream is gone, or be streams themselves.
    const remaining = await findSessions(service, live);
    await inParallel([...remaining.keys()], deletedAtOnce, (id) => deletePatiently(service, id));
    const stillListed = remaining.size === 0 ? remaining : await findSessions(service, live);
    if (!signal.aborted) sessions = stillListed;
    kept = await findKept(service, deleted, live);
  };
  await Promise.race([passed, deleteAll()]);
  const hasPassed = signal.aborted;
  timers.forEach(clearTimeout);
  // Nothing listens to the other signals after this.
  end();
  return [
    ...new Set([
      ...streams.filter((id) => !deleted.has(id)).map((id) => `stream ${id}`),
      ...kept.map(
        (id) => `stream ${id}: the target still shows it, although it accepted its deletion`,
      ),
      ...[...untouched].map(([id, reason]) => `stream ${id}: it was not touched, as ${reason}`),
      ...[...sessions].map(([id, parentId]) => `session ${id} of stream ${parentId}`),
      ...[...unknown].map(([words, count]) => (count === 1 ? words : `${words}, ${count} times`)),
    ]),
    // Each creation under way has a line of its own.
    ...[...underWay.values()].map(
      (name) =>
        `possibly a stream${named(name)}: the run ended before the response to its creation arrived`,
    ),
    ...(hasPassed && live.size > 0
      ? ['possibly sessions of its streams: there was no time to look for all of them']
      : []),
  ].map((line) => line.slice(0, maxLine));
}

/** The ids of sessions, with the ids of their streams. */
type Sessions = ReadonlyMap<string, unknown>;

/** How many streams or sessions are deleted at the same time. */
export const deletedAtOnce = 8;

/** Deletes streams, including those that are created meanwhile. */
async function deleteStreams(
  target: Target,
  { streams, underWay }: Creations,
  deleted: Set<string>,
): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const ids = [...new Set(streams)].filter((id) => !tried.has(id));
    if (ids.length === 0 && underWay.size === 0) return;
    if (ids.length === 0) await Promise.race(underWay.keys()).catch(() => {});
    await inParallel(ids, deletedAtOnce, async (id) => {
      tried.add(id);
      if (await deletePatiently(target, id)) deleted.add(id);
    });
  }
}

/**
 * The deleted streams that the target still shows. It is first asked about one that was live and one that was not, and
 * about the others only if it shows either.
 */
async function findKept(
  target: Target,
  deleted: ReadonlySet<string>,
  live: ReadonlySet<string>,
): Promise<readonly string[]> {
  const isShown = async (id: string): Promise<boolean> =>
    readId(await callTarget(target, get(streamPath(id)))) === id;
  const shownOf = async (ids: readonly string[]): Promise<readonly string[]> => {
    const shown = await inParallel(ids, deletedAtOnce, (id) => unlessPrevented(isShown(id)));
    return ids.filter((_, index) => shown[index]);
  };
  const ids = [...deleted];
  const samples = [ids.find((id) => live.has(id)), ids.find((id) => !live.has(id))];
  const shownSamples = await shownOf(samples.filter((id) => id !== undefined));
  return shownSamples.length === 0 ? [] : shownOf(ids);
}

/** The sessions of the run in the lists of streams and of sessions. If the latter is incomplete, each stream's own list is read too. */
async function findSessions(target: Target, live: ReadonlySet<string>): Promise<Sessions> {
  const parents = new Map<string, unknown>();
  const call = (request: TargetCall) => callTarget(target, request);
  /** Resolves to whether the list was read to its end. */
  const readList = async (path: string, streamId?: string): Promise<boolean> => {
    let isWhole = false;
    for await (const page of pagesOf(call, path)) {
      if (!isSuccess(page)) return false;
      for (const { id, parentId = streamId } of readObjects(page)) {
        if (typeof id === 'string' && target.gate.owns(parentId)) parents.set(id, parentId);
      }
      isWhole = nextPageHeader(page) === 'not';
    }
    return isWhole;
  };
  const listSessionsOf = async (id: string): Promise<void> => {
    const path = `${streamPath(id)}/sessions`;
    await unlessPrevented(readList(path, id));
    await readList(`${path}?record=1`, id);
  };
  if (live.size === 0) return parents;
  await unlessPrevented(readList('/stream'));
  if (await unlessPrevented(readList('/session'))) return parents;
  await inParallel([...live], deletedAtOnce, (id) => unlessPrevented(listSessionsOf(id)));
  return parents;
}

/**
 * Deletes a stream of this run. Resolves to whether the target says that it was deleted: one that answers
 * 404 may keep the stream all the same.
 */
export async function deleteTargetStream(target: Target, id: string): Promise<boolean> {
  // The target may have listed it as a session of a stream that the user named.
  if (!target.gate.owns(id)) return false;
  // An id that does not fit into a path is refused here, too.
  const send = async () => callTarget(target, { method: 'DELETE', path: streamPath(id) });
  const response = await unlessPrevented(send());
  return response !== undefined && isSuccess(response);
}

/** Deletes a stream, however often the target asks to wait: what calls it has a deadline. */
async function deletePatiently(target: Target, id: string): Promise<boolean> {
  for (;;) {
    const pauses = target.pace.pauses();
    if (await deleteTargetStream(target, id)) return true;
    if (target.pace.pauses() === pauses || target.stopSignal?.aborted) return false;
  }
}
