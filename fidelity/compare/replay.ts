import { isReading } from '../../conformance/target/gate.ts';
import type { ArchivedWorld, TesterAction } from '../../mocks/journal/exchange.ts';
import { connect } from '../connection.ts';
import { type Archive, type ArchiveEntry, headersOf, placeOfId, toMove } from './archive.ts';
import { increment, noteSteps } from './differences.ts';
import { type Run, recordAt } from './made.ts';
import { type Move, type RequestMove, requestOf } from './moves.ts';
import { runSequence, type SequenceStep } from './run.ts';
import { type Search, withRun } from './search.ts';

/**
 * Sends the requests of an archive to the target, in their order, and compares each response with the
 * recorded one. It also makes what the mock's world began with, and does what testers did.
 */
export async function replay(
  search: Search,
  { entries, _livestream: world }: Archive,
): Promise<void> {
  const { found, sides, endReason } = search;
  const { comparison } = found;
  const skipped: Record<string, number> = {};
  comparison.skipped = skipped;
  const left = [...world.arranged];
  const mock = createRecordedMock();
  const lacking: Lacking = { sessions: false, changes: false };
  comparison.sequences = 1;
  const replayEntry = async (run: Run, entry: ArchiveEntry): Promise<void> => {
    const { number } = entry._livestream;
    for (; left[0] !== undefined && left[0].after < number; left.shift()) {
      await arrange(run, mock, left[0], lacking);
    }
    comparison.end ??= endReason();
    const move = comparison.end ?? moveOf(entry, run, lacking);
    if (typeof move === 'string') increment(skipped, move);
    else {
      const steps = await mock.send(run, move, recordedIn(entry));
      await noteSteps(found, steps, async (step) => [step]);
    }
  };
  await withRun(search, { services: [sides[0], mock.service], isReplay: true }, async (run) => {
    for (const one of beginningOf(world)) await arrange(run, mock, one, lacking);
    for (const entry of entries) {
      if (!sides[0].stopSignal.aborted) await replayEntry(run, entry);
    }
  });
}

/** What the mock has and the target lacks. */
interface Lacking {
  sessions: boolean;
  /** Something that the mock changed. */
  changes: boolean;
}

function recordedIn({ request, response }: ArchiveEntry): Response {
  const { status, content } = response;
  const isEmpty = [204, 205, 304].includes(status) || request.method === 'HEAD';
  return new Response(isEmpty ? null : (content.text ?? null), {
    status,
    headers: headersOf(response),
  });
}

/** What makes the streams and sessions with which a world began. */
function beginningOf({ streams, sessions }: ArchivedWorld): TesterAction[] {
  return [
    ...streams.map((stream): TesterAction => ({ kind: 'created', stream })),
    ...sessions.flatMap(({ id, parentId: streamId, record, duration }): TesterAction[] => [
      { kind: 'switched', streamId, record },
      { kind: 'live', streamId, sessionId: id, duration },
    ]),
    ...streams.map(({ id, record }): TesterAction => ({ kind: 'switched', streamId: id, record })),
  ];
}

/** Seconds of a session, where the target cannot end one on request. */
const defaultDuration = 3.2;

/** What a tester did, as a move; `undefined` if the target lacks the stream. */
function arrangedMove(
  run: Run,
  arranged: Exclude<TesterAction, { kind: 'restored' }>,
): Move | undefined {
  if (arranged.kind === 'created') {
    const { name, record, profiles } = arranged.stream;
    const body = { name, record, ...(profiles.length > 0 && { profiles }) };
    return requestOf('createStream', { body });
  }
  const id = placeOfId(run, arranged.streamId);
  if (id === undefined || recordAt(run, id)?.deleted) return undefined;
  switch (arranged.kind) {
    case 'switched':
      return requestOf('setRecord', { id, body: { record: arranged.record } });
    case 'deleted':
      return requestOf('deleteStream', { id });
    case 'ended':
      return { stop: id };
    case 'live': {
      const [{ provider }] = run.services;
      const { duration } = arranged;
      const canStop = 'goLive' in provider && duration === undefined;
      return { start: id, ...(!canStop && { seconds: duration ?? defaultDuration }) };
    }
  }
}

/** A service that sends the recorded responses. */
function createRecordedMock() {
  let recorded = new Response();
  /** The session that goes live next. */
  let session = {};
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
  return {
    service: { ...connection, provider },
    /** Makes a move on both sides, given the mock's response, or the session that went live. */
    send(run: Run, move: Move, response: Response, live = {}): Promise<readonly SequenceStep[]> {
      recorded = response;
      session = live;
      return runSequence(run, [move]);
    },
  };
}

/** Does on the target what a tester did on the mock. */
async function arrange(
  run: Run,
  mock: ReturnType<typeof createRecordedMock>,
  arranged: TesterAction,
  lacking: Lacking,
): Promise<void> {
  if (arranged.kind === 'restored') {
    lacking.changes = true;
    return;
  }
  const move = arrangedMove(run, arranged);
  const response =
    arranged.kind === 'created'
      ? Response.json(arranged.stream, { status: 201 })
      : new Response(null, { status: 204 });
  const session =
    arranged.kind === 'live' ? { id: arranged.sessionId, parentId: arranged.streamId } : {};
  const steps = move === undefined ? [] : await mock.send(run, move, response, session);
  const isDone = steps.some(({ unanswered }) => unanswered === undefined);
  if (arranged.kind === 'live' && !isDone) lacking.sessions = true;
}

/** The move of an entry, or why it is skipped. If it changed something, the target lacks that from then on. */
function moveOf(entry: ArchiveEntry, run: Run, lacking: Lacking): RequestMove | string {
  if (lacking.changes) return 'it follows the restore of a snapshot, or a change that was skipped';
  const { request, response, _livestream } = entry;
  const move = toMove(entry, run);
  if (typeof move === 'string') {
    const isDone = response.status >= 200 && response.status <= 299;
    lacking.changes = isDone && !isReading(request.method);
    return move;
  }
  const isOfSession = /session|playback/i.test(_livestream.operation ?? '');
  const isMissing = lacking.sessions && isOfSession;
  return isMissing ? 'its stream or session cannot be made on the target' : move;
}
