import { isReading } from '../../conformance/target/gate.ts';
import type { ArchivedWorld } from '../../mocks/journal/exchange.ts';
import { connect } from '../connection.ts';
import { type Archive, type ArchiveEntry, headersOf, toMove } from './archive.ts';
import { placeOf } from './comparison.ts';
import {
  addDifferences,
  countDifferences,
  increment,
  noteSteps,
  type Tally,
} from './differences.ts';
import { liveStreams, placeOfId, type Run, startRun, stopAllLive } from './made.ts';
import { type Move, type RequestMove, requestOf } from './moves.ts';
import { runSequence, type SequenceStep } from './run.ts';
import type { Search } from './search.ts';
import { thenCleanUp } from './sides.ts';

/**
 * Sends the requests of an archive to the target, in their order, and compares each response with the
 * recorded one. What was there, and what testers did, is made there first, or between them.
 */
export async function replay(search: Search, archive: Archive): Promise<void> {
  await thenCleanUp(search.sides, async () => {
    const replayed = startReplay(search);
    try {
      await replayEntries(search, archive, replayed);
    } finally {
      await stopAllLive(replayed.run);
    }
  });
}

async function replayEntries(
  { found, shouldStop, isOver }: Search,
  { entries, _livestream: world }: Archive,
  { arrange, moveOf, send }: ReturnType<typeof startReplay>,
): Promise<void> {
  const { comparison } = found;
  const { skipped = {} } = comparison;
  const left = [...beginningOf(world), ...world.arranged];
  for (const entry of entries) {
    if (shouldStop()) break;
    const { number } = entry._livestream;
    for (; left[0] !== undefined && left[0].after < number; left.shift()) await arrange(left[0]);
    if (isOver()) comparison.end = 'time ran out';
    const move = isOver() ? 'time ran out' : moveOf(entry);
    if (typeof move === 'string') increment(skipped, move);
    else noteReplayed(await send(recordedIn(entry), move), found);
  }
  comparison.sequences = 1;
}

function recordedIn({ request, response }: ArchiveEntry): Response {
  const { status, content } = response;
  const isEmpty = [204, 205, 304].includes(status) || request.method === 'HEAD';
  return new Response(isEmpty ? null : (content.text ?? null), {
    status,
    headers: headersOf(response),
  });
}

function noteReplayed(steps: readonly SequenceStep[], found: Tally): void {
  noteSteps(steps, found);
  for (const step of steps) {
    addDifferences(found, [step], new Set(step.findings.map(placeOf)));
    countDifferences(found, step);
  }
}

/** What a tester did. */
type Arranged = ArchivedWorld['arranged'][number];

/** What makes the streams and sessions that a world began with. */
function beginningOf({ streams, sessions }: ArchivedWorld): Arranged[] {
  const after = 0;
  return [
    ...streams.map((one): Arranged => {
      return { kind: 'created', after, stream: { ...one, record: true } };
    }),
    ...sessions.flatMap(({ id, parentId: streamId, record, duration }): Arranged[] => [
      { kind: 'switched', after, streamId, record },
      { kind: 'live', after, streamId, sessionId: id, duration },
    ]),
    ...streams.map(({ id, record }): Arranged => {
      return { kind: 'switched', after, streamId: id, record };
    }),
  ];
}

/** Seconds of a session that the target can only make whole. */
const usualDuration = 3.2;

/** What a tester did, as a move; `undefined` where the stream is not there. */
function arrangedMove(
  run: Run,
  arranged: Exclude<Arranged, { kind: 'restored' }>,
): Move | undefined {
  if (arranged.kind === 'created') {
    const { name, record, profiles } = arranged.stream;
    const body = { name, record, ...(profiles.length > 0 && { profiles }) };
    return requestOf('createStream', { body });
  }
  const id = placeOfId(run, arranged.streamId);
  if (id?.of !== 'stream') return undefined;
  switch (arranged.kind) {
    case 'switched':
      return requestOf('setRecord', { id, body: { record: arranged.record } });
    case 'deleted':
      return requestOf('deleteStream', { id });
    case 'ended': {
      const stop = liveStreams(run).findIndex(({ ids }) => ids[1] === arranged.streamId);
      return stop === -1 ? undefined : { stop };
    }
    case 'live': {
      const { duration } = arranged;
      const canStop = 'goLive' in run.services[0].provider && duration === undefined;
      return { start: id.at, ...(!canStop && { seconds: duration ?? usualDuration }) };
    }
  }
}

/** A run whose second side gives the responses that were recorded. */
function startReplay({ sides: [target], clock, patience, sharedLists }: Search) {
  let recorded = new Response();
  /** The session that goes live next. */
  let session = {};
  let lacksSession = false;
  /** Whether the target no longer has what the mock had. */
  let isLost = false;
  const connection = connect({
    baseUrl: 'http://recorded.test/api',
    apiKey: 'test-recorded',
    send: async () => recorded.clone(),
  });
  const provider = {
    name: 'control',
    broadcast: async () => session,
    goLive: async () => async () => {},
  } as const;
  const services = [target, { ...connection, provider }] as const;
  const run = startRun({ services, clock, patience, isReplay: true, sharedLists });

  const send = (response: Response, move: Move): Promise<readonly SequenceStep[]> => {
    recorded = response;
    return runSequence(run, [move]);
  };
  return {
    run,
    send,
    /** Does on the target what a tester did on the mock. */
    async arrange(arranged: Arranged): Promise<void> {
      if (arranged.kind === 'restored') {
        isLost = true;
        return;
      }
      const isLive = arranged.kind === 'live';
      if (isLive) session = { id: arranged.sessionId, parentId: arranged.streamId };
      const isPossible = !isLive || 'broadcast' in target.provider;
      const move = isPossible ? arrangedMove(run, arranged) : undefined;
      const response =
        arranged.kind === 'created'
          ? Response.json(arranged.stream, { status: 201 })
          : new Response(null, { status: 204 });
      const steps = move === undefined ? [] : await send(response, move);
      const isMade = steps.some(({ unanswered }) => unanswered === undefined);
      if (isLive && !isMade) lacksSession = true;
    },
    /** The move of an entry, or why it is skipped: the target then lacks what the mock changed. */
    moveOf(entry: ArchiveEntry): RequestMove | string {
      if (isLost) return 'it follows the restore of a snapshot, or a change that was skipped';
      const { request, response, _livestream } = entry;
      const move = toMove(entry, run);
      if (typeof move === 'string') {
        const isDone = response.status >= 200 && response.status <= 299;
        isLost = isDone && !isReading(request.method);
        return move;
      }
      const isOfSession = /session|playback/i.test(_livestream.operation ?? '');
      const isMissing = lacksSession && isOfSession;
      return isMissing ? 'its stream or session cannot be made on the target' : move;
    },
  };
}
