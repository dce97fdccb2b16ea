import type {
  ArchivedWorld,
  ArchiveEntry,
  ArchiveLog,
  TesterAction,
} from '../../mocks/journal/har.ts';
import { createGate } from '../../target/requests/gate.ts';
import { isSafeMethod } from '../../target/requests/well-known.ts';
import { connect } from '../target-connection.ts';
import { cannotBeCreated, headersOf, toMove } from './archive-file.ts';
import { type Move, type RequestMove, requestOf } from './moves.ts';
import { type Search, withRun } from './search.ts';
import { findCreated, type SequenceRun } from './sequence-run.ts';
import { runSequence } from './sequence-steps.ts';
import { increment, noteSteps } from './tally.ts';

/** A replay under way. */
interface Replay {
  readonly run: SequenceRun;
  /** What the archived side does next. */
  readonly archived: ArchivedSide;
  /** Why requests for sessions cannot be compared; `undefined` if they can. */
  sessionsDiffer: string | undefined;
  /** Whether something changed on the mock, but not on the target. */
  lacksChange: boolean;
}

/** What the mock did in response to a move. */
interface ArchivedSide {
  response: Response;
  /** The session that went live. */
  session: Partial<Record<'id' | 'parentId', string>>;
}

/**
 * Sends the requests of an archive to the target, in their order, and compares each response with the
 * archived one. It also creates what the mock's world began with, and does what testers did.
 */
export async function replay(search: Search, archive: ArchiveLog): Promise<void> {
  const { tally, targets, endReason } = search;
  const { comparison } = tally;
  const { entries, _livestream: world } = archive;
  const skipped: Record<string, number> = {};
  comparison.skipped = skipped;
  comparison.sequences = 1;
  const archived: ArchivedSide = { response: new Response(), session: {} };
  const services = [targets[0], connectArchived(archived)] as const;
  await withRun(search, { services, isReplay: true }, async (run) => {
    const replayed: Replay = { run, archived, sessionsDiffer: undefined, lacksChange: false };
    for (const action of beginningOf(world)) await repeatAction(replayed, action);
    const actions = [...world.arranged];
    for (const entry of entries) {
      if (targets[0].stopSignal.aborted) return;
      while (actions[0] !== undefined && actions[0].after < entry._livestream.number) {
        await repeatAction(replayed, actions[0]);
        actions.shift();
      }
      comparison.end ??= endReason();
      const move = comparison.end ?? moveOf(replayed, entry);
      if (typeof move === 'string') {
        increment(skipped, move);
        continue;
      }
      archived.response = archivedResponse(entry);
      const steps = await runSequence(run, [move]);
      await noteSteps(tally, steps, async () => steps);
    }
  });
}

/** A service that does what the archive says. */
function connectArchived(archived: ArchivedSide) {
  const options = {
    baseUrl: 'http://archived.test/api',
    apiKey: 'test-archived',
    send: async () => archived.response.clone(),
  };
  const connection = connect(options, createGate({ holdsNothingElse: true }));
  const provider = {
    name: 'control',
    broadcast: async () => archived.session,
    goLive: async () => async () => {},
  } as const;
  return { ...connection, provider };
}

function archivedResponse({ response }: ArchiveEntry): Response {
  const { status, content } = response;
  return new Response(content.text || null, { status, headers: headersOf(response) });
}

/** What creates the streams and sessions with which a world began. */
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

/** Does on the target what a tester did on the mock. */
async function repeatAction(replayed: Replay, action: TesterAction): Promise<void> {
  const { run, archived } = replayed;
  archived.response = new Response(null, { status: 204 });
  if (action.kind === 'created') {
    archived.response = Response.json(action.stream, { status: 201 });
  }
  if (action.kind === 'live') {
    archived.session = { id: action.sessionId, parentId: action.streamId };
  }
  const move = moveOfAction(run, action);
  const steps = move === undefined ? [] : await runSequence(run, [move]);
  const isDone = steps.some(({ unanswered }) => unanswered === undefined);
  if (action.kind === 'live' && !isDone) replayed.sessionsDiffer ??= cannotBeCreated;
  if (isUnlikely(action))
    replayed.sessionsDiffer ??= 'it follows a recording whose status was fixed';
  replayed.lacksChange ||= action.kind === 'restored';
}

/** Whether an action fixed the status of a recording as one that the target's recording will not have. */
function isUnlikely(action: TesterAction): boolean {
  return action.kind === 'settled' && action.recordingStatus !== 'ready';
}

/** Seconds of a session if the target cannot end one on request. */
const defaultDuration = 3.2;

/** What a tester did, as a move; `undefined` if the target lacks the stream, or nothing does that on a service. */
function moveOfAction(run: SequenceRun, action: TesterAction): Move | undefined {
  if (action.kind === 'restored' || action.kind === 'settled') return undefined;
  if (action.kind === 'created') {
    const { name, record, profiles } = action.stream;
    const body = { name, record, ...(profiles.length > 0 && { profiles }) };
    return requestOf('createStream', { body });
  }
  const id = { of: 'archived', id: action.streamId } as const;
  if (findCreated(run, id)?.deleted !== false) return undefined;
  switch (action.kind) {
    case 'switched':
      return requestOf('setRecord', { id, body: { record: action.record } });
    case 'updated':
      return requestOf('updateStream', { id, body: action.fields });
    case 'deleted':
      return requestOf('deleteStream', { id });
    case 'ended':
      return { stop: id };
    case 'live': {
      const { duration } = action;
      const canStop = 'goLive' in run.services[0].provider && duration === undefined;
      return { start: id, ...(!canStop && { seconds: duration ?? defaultDuration }) };
    }
  }
}

/** The move of an entry, or why it is skipped. If it changed something, the target lacks that from then on. */
function moveOf(replayed: Replay, entry: ArchiveEntry): RequestMove | string {
  if (replayed.lacksChange) {
    return 'it follows the restore of a snapshot, or a change that was skipped';
  }
  const { request, response } = entry;
  const move = toMove(entry, replayed.run);
  if (typeof move === 'string') {
    const isDone = response.status >= 200 && response.status <= 299;
    replayed.lacksChange = isDone && !isSafeMethod(request.method);
    return move;
  }
  const isOfSession = /session|playback/i.test(move.endpoint);
  return isOfSession ? (replayed.sessionsDiffer ?? move) : move;
}
