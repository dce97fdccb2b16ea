import type { Json } from '../../interface/json.ts';
import type { ArchivedWorld } from '../../mocks/journal/exchange.ts';
import { connect } from '../connection.ts';
import { type Archive, type ArchiveEntry, type Replayed, type Skipped, toMove } from './archive.ts';
import {
  addDifferences,
  countDifference,
  increment,
  noteSteps,
  type Tally,
} from './differences.ts';
import { liveStreams, placeOfId, startRun, stopAllLive } from './made.ts';
import type { Move } from './moves.ts';
import { runSequence } from './run.ts';
import type { Search } from './search.ts';
import { type Service, thenCleanUp } from './sides.ts';

/** A service that gives the responses that were recorded, and what is known of it. */
interface Replay extends Replayed {
  /** What it responds next. */
  recorded: Response;
  /** The session that goes live next. */
  session: { readonly id: string; readonly parentId: string } | undefined;
}

/**
 * Sends the requests of an archive to the target, in their order, and compares each response with the
 * recorded one. What was there, and what testers did, is made there first, or between them.
 */
export async function replay(search: Search, archive: Archive): Promise<void> {
  const state = startReplay(search, archive);
  await thenCleanUp([search.target], async () => {
    try {
      await replayEntries(search, archive, state);
    } finally {
      await stopAllLive(state.run);
    }
  });
}

async function replayEntries(
  { found, shouldStop, isOver }: Search,
  { entries, _livestream: world }: Archive,
  state: Replay,
): Promise<void> {
  const { comparison } = found;
  const arrangeAll = async (several: readonly Arranged[]): Promise<void> => {
    for (const one of several) if (!shouldStop()) await arrange(state, one);
  };
  await arrangeAll(beginningOf(world));
  const left = [...world.arranged];
  for (const entry of entries) {
    if (shouldStop()) break;
    if (isOver()) {
      comparison.end = 'time ran out';
      skip(found, 'time ran out');
      continue;
    }
    const due = left.findIndex(({ after }) => after >= entry._livestream.number);
    await arrangeAll(left.splice(0, due < 0 ? left.length : due));
    const move = toMove(entry, state);
    if (typeof move === 'string') skip(found, move);
    else await compareEntry(found, state, entry, move);
  }
  // Streams that were there are made before the first entry.
  const hasCreated = state.run.records.some(({ kind }) => kind === 'stream');
  if (hasCreated) increment(comparison.byOperation, 'createStream');
  comparison.sequences = 1;
}

function skip({ comparison }: Tally, why: Skipped): void {
  comparison.skipped ??= {};
  increment(comparison.skipped, why);
}

function startReplay({ target, clock }: Search, { entries, _livestream: world }: Archive): Replay {
  const shown = entries.flatMap(({ response }) => [
    ...(response.content.text ?? '').matchAll(/"(?:id|playbackId)":"([^"]+)"/g),
  ]);
  const known = new Set([
    ...shown.map(([, id = '']) => id),
    ...world.streams.flatMap(({ id, playbackId }) => [id, playbackId]),
    ...world.arranged.map((one) => (one.kind === 'created' ? one.stream.id : '')),
  ]);
  const connection = connect({
    baseUrl: 'http://recorded.test/api',
    apiKey: 'test-recorded',
    send: async () => state.recorded.clone(),
  });
  for (const id of known) connection.target.gate.adopt(id);
  const recorded: Service = {
    ...connection,
    other: undefined,
    provider: {
      name: 'control',
      broadcast: async () => ({ ...state.session }),
      goLive: async () => async () => {},
    },
  };
  const { patience } = target;
  const state: Replay = {
    run: startRun({ services: [target, recorded], clock, patience, isReplay: true }),
    recorded: new Response(),
    session: undefined,
    known,
    lacksSession: false,
    isRestored: false,
  };
  return state;
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

/** Does on the target what a tester did on the mock. */
async function arrange(state: Replay, arranged: Arranged): Promise<void> {
  const { run } = state;
  if (arranged.kind === 'restored') {
    state.isRestored = true;
    return;
  }
  if (arranged.kind === 'created') {
    const { name, record } = arranged.stream;
    const profiles = arranged.stream.profiles.map((profile): Json => ({ ...profile }));
    state.recorded = Response.json(arranged.stream, { status: 201 });
    const body = { name, record, ...(profiles.length > 0 && { profiles }) };
    await runSequence(run, [{ operation: 'createStream', body }]);
    return;
  }
  const id = placeOfId(run, arranged.streamId);
  if (id?.of !== 'stream') return;
  state.recorded = new Response(null, { status: 204 });
  switch (arranged.kind) {
    case 'switched': {
      const body = { record: arranged.record };
      await runSequence(run, [{ operation: 'setRecord', id, body }]);
      break;
    }
    case 'deleted':
      await runSequence(run, [{ operation: 'deleteStream', id }]);
      break;
    case 'ended': {
      const at = liveStreams(run).findIndex(({ ids }) => ids[1] === arranged.streamId);
      if (at !== -1) await runSequence(run, [{ stop: at }]);
      break;
    }
    case 'live':
      await goLive(state, arranged, id.at);
  }
}

/** Seconds of a session that the target can only make whole. */
const usualDuration = 3.2;

async function goLive(
  state: Replay,
  { streamId, sessionId, duration }: Extract<Arranged, { kind: 'live' }>,
  at: number,
): Promise<void> {
  state.session = { id: sessionId, parentId: streamId };
  const { provider } = state.run.services[0];
  const canStop = 'goLive' in provider && duration === undefined;
  const move: Move = canStop ? { start: at } : { start: at, seconds: duration ?? usualDuration };
  const steps = 'broadcast' in provider ? await runSequence(state.run, [move]) : [];
  const isMade = steps.some(({ unanswered }) => unanswered === undefined);
  if (!isMade) state.lacksSession = true;
}

/** Sends a request, and notes how its response differs from the recorded one. */
async function compareEntry(
  found: Tally,
  state: Replay,
  { request, response }: ArchiveEntry,
  move: Move,
): Promise<void> {
  const { status, headers, content } = response;
  const isEmpty = [204, 205, 304].includes(status) || request.method === 'HEAD';
  state.recorded = new Response(isEmpty ? null : (content.text ?? null), { status, headers });
  const steps = await runSequence(state.run, [move]);
  noteSteps(steps, found);
  for (const step of steps) {
    // A session is as long there as its encoder made it.
    const findings = step.findings.filter(({ where }) => !/sourceSegmentsDuration$/.test(where));
    addDifferences(found, [step], findings);
    for (const finding of findings) countDifference(found, finding, step);
  }
}
