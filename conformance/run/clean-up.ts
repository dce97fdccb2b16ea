import type { Creations } from '../target/creations.ts';
import { isSuccess, type JsonObject, readObjects } from '../target/expectations.ts';
import { unlessPrevented } from '../target/failure.ts';
import { nextToldBy, pagesOf } from '../target/next-page.ts';
import { streamPath } from '../target/operations.ts';
import { inParallel } from '../target/pacing.ts';
import { callTarget, type Target, type TargetCall } from '../target/target.ts';

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
 * response yet, and then the sessions that lists still show as theirs. Resolves to what remains on the
 * target, in lines. What there was no time for counts as remaining.
 */
export async function cleanUp(
  target: Target,
  creations: Creations,
  { stop, hurry }: CleanUpSignals,
): Promise<string[]> {
  const { streams, live, underWay, unknown } = creations;
  const deleted = new Set<string>();
  let sessions: Sessions = new Map();
  const deadline = createDeadline(stop, hurry);
  const { hasPassed } = deadline;
  const deleteAll = async (): Promise<void> => {
    sessions = await findSessions(target, live, hasPassed);
    await deleteStreams(target, creations, deleted, hasPassed);
    if (live.size === 0) return;
    // Where sessions are streams of their own, or stay beside a stream that is gone, they may be deleted as such.
    const left = await findSessions(target, live, hasPassed);
    await inParallel([...left.keys()], deletedAtOnce, async (id) => {
      if (!hasPassed()) await deleteTargetStream(target, id);
    });
    const shown = left.size === 0 ? left : await findSessions(target, live, hasPassed);
    if (!hasPassed()) sessions = shown;
  };
  await Promise.race([deadline.passed, deleteAll()]);
  deadline.cancel();
  return [
    ...new Set([
      ...streams.filter((id) => !deleted.has(id)).map((id) => `stream ${id}`),
      ...[...sessions].map(([id, parentId]) => `session ${id} of stream ${parentId}`),
      ...unknown,
    ]),
    // Each creation under way has a line of its own.
    ...[...underWay].map(
      () => 'perhaps a stream: the run ended before the response to its creation came',
    ),
    ...(hasPassed() && live.size > 0
      ? ['perhaps sessions of its streams: there was no time to look for all of them']
      : []),
  ].map((line) => line.slice(0, longestLine));
}

/** The ids of sessions, with those of their streams. */
type Sessions = ReadonlyMap<string, unknown>;

/** Deletes streams, also those that are created meanwhile. */
async function deleteStreams(
  target: Target,
  { streams, underWay }: Creations,
  deleted: Set<string>,
  hasPassed: () => boolean,
): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const ids = [...new Set(streams)].filter((id) => !tried.has(id));
    if (hasPassed() || (ids.length === 0 && underWay.size === 0)) return;
    if (ids.length === 0) await Promise.race(underWay).catch(() => {});
    await inParallel(ids, deletedAtOnce, async (id) => {
      tried.add(id);
      if (!hasPassed() && (await deleteTargetStream(target, id)) === 'deleted') deleted.add(id);
    });
  }
}

/** Streams, or sessions, that are deleted at once. */
export const deletedAtOnce = 8;
/** More sessions than the suite makes. */
const maxSessions = 1_000;

/** The sessions of the run that lists show: of all streams, and of sessions. */
async function findSessions(
  target: Target,
  live: ReadonlySet<string>,
  hasPassed: () => boolean,
): Promise<Sessions> {
  const found = new Map<string, unknown>();
  const isEnough = (): boolean => hasPassed() || found.size >= maxSessions;
  /** Resolves to whether the target has a list at this path, of all streams or of one, that was read whole. */
  const look = async (path: string, streamId?: string): Promise<boolean> => {
    const { records, isWhole } = await listFrom(target, path, isEnough);
    for (const { id, parentId = streamId } of records) {
      if (typeof id === 'string' && target.gate.owns(parentId)) found.set(id, parentId);
    }
    return isWhole;
  };
  if (live.size === 0) return found;
  await look('/stream');
  if (await look('/session')) return found;
  // There is no such list, or what others made fills more pages of it than are read.
  await inParallel([...live], deletedAtOnce, async (id) => {
    const path = `${streamPath(id)}/sessions`;
    return (await look(path, id)) || look(`${path}?record=1`, id);
  });
  return found;
}

/** The records of a list, and whether those are all: a target may have no such list, or one too long to read. */
async function listFrom(
  target: Target,
  path: string,
  isEnough: () => boolean,
): Promise<{ records: JsonObject[]; isWhole: boolean }> {
  const call = (request: TargetCall) => callTarget(target, request, () => {});
  const records: JsonObject[] = [];
  let isWhole = false;
  const read = async (): Promise<void> => {
    for await (const page of pagesOf(call, path, isEnough)) {
      // What follows a page that cannot be read is not known, either.
      isWhole = false;
      if (!isSuccess(page)) break;
      records.push(...readObjects(page));
      isWhole = nextToldBy(page) === 'not';
    }
  };
  await unlessPrevented(read());
  return { records, isWhole };
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

/** Deletes a stream of this run. */
export async function deleteTargetStream(
  target: Target,
  id: string,
): Promise<'deleted' | 'not there' | 'failed'> {
  // A target may have shown it as one of a stream that the user named.
  if (!target.gate.owns(id)) return 'failed';
  // An id that fits into no path is refused here, too.
  const send = async () => callTarget(target, { method: 'DELETE', path: streamPath(id) }, () => {});
  const response = await unlessPrevented(send());
  if (response === undefined) return 'failed';
  if (isSuccess(response)) return 'deleted';
  return [404, 410].includes(response.status) ? 'not there' : 'failed';
}
