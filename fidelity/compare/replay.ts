import type { ArchivedStream, ArchivedWorld, Arranged } from '../../mocks/journal/exchange.ts';
import type { Json } from '../json.ts';
import { connect } from '../target/connection.ts';
import { type Archive, type Entry, type Mapping, toMove } from './archive.ts';
import { createRefusalTexts } from './equal/refusal-forms.ts';
import { add, type Found, noteOutcome } from './found.ts';
import type { Search } from './investigate.ts';
import type { Move } from './moves/move.ts';
import { prepareCleaning } from './run/changes.ts';
import { type MadeRecord, placeOfId, recordAt } from './run/made-records.ts';
import { type Run, startRun } from './run/run.ts';
import { runSequence } from './run/run-sequence.ts';
import type { Service } from './run/side.ts';
import { createAgreement } from './run/timing.ts';
import { noteStep } from './search.ts';

/** A service that gives the responses that were recorded, and what is known of it. */
interface Replay {
  readonly run: Run;
  /** What it responds next. */
  recorded: Response;
  /** The session that goes live next. */
  session: { readonly id: string; readonly parentId: string } | undefined;
  readonly known: Mapping['known'];
  readonly incomplete: Set<string>;
}

/**
 * Sends the requests of an archive to the target, in their order, and compares each response with the
 * recorded one. What was there, and what testers did, is made there first, or between them.
 */
export async function replay(search: Search, archive: Archive, found: Found): Promise<void> {
  const { target } = search;
  const state = startReplay(search, archive);
  const clean = prepareCleaning([target]);
  const { world } = archive;
  for (const stream of world.streams) await makeStream(state, { ...stream, record: true });
  for (const { id, parentId, record, duration } of world.sessions) {
    await arrange(state, { kind: 'switched', streamId: parentId, record });
    await arrange(state, { kind: 'live', streamId: parentId, sessionId: id, duration });
  }
  for (const { id, record } of world.streams) {
    await arrange(state, { kind: 'switched', streamId: id, record });
  }
  const left = withDurations(world.arranged);
  for (const entry of archive.entries) {
    if (search.shouldStop() || search.isOver()) break;
    while ((left[0]?.after ?? Number.POSITIVE_INFINITY) < entry._livestream.number) {
      await arrange(state, left.shift() as Arranged);
    }
    await sendEntry(search, state, entry, found);
  }
  if (search.isOver()) found.end = 'the time was over';
  found.hasCreated ||= state.run.made.records.some(({ kind }) => kind === 'stream');
  found.sequences = 1;
  await clean(state.run.made.records);
}

/** A session that ended before the next request is live for as long as it was, if that can be said. */
function withDurations(arranged: ArchivedWorld['arranged']): (Arranged & { after: number })[] {
  return arranged.map((one, index) => {
    const ends = arranged
      .slice(index)
      .find(
        (later) => later.kind === 'ended' && 'streamId' in one && later.streamId === one.streamId,
      );
    const isLive = one.kind === 'live' && one.duration === undefined;
    if (!isLive || ends?.kind !== 'ended' || ends.after !== one.after) return one;
    return { ...one, duration: ends.duration };
  });
}

function startReplay({ target, clock }: Search, { entries, world }: Archive): Replay {
  const ids = entries.flatMap(({ response }) => [
    ...(response.content.text ?? '').matchAll(/"(?:id|playbackId)":"([^"]+)"/g),
  ]);
  const known = new Set([
    ...ids.map(([, id = '']) => id),
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
    refusals: createRefusalTexts(),
    provider: {
      name: 'control',
      broadcast: async () => ({ ...state.session }),
      goLive: async () => async () => {},
    },
  };
  const state: Replay = {
    run: startRun(
      {
        services: [target, recorded],
        clock,
        patience: 2 * target.patience,
        timing: createAgreement(target.patience),
      },
      new Set(),
    ),
    recorded: new Response(),
    session: undefined,
    known,
    incomplete: new Set(),
  };
  return state;
}

/** Does what nothing is compared of. */
async function perform({ run }: Replay, move: Move): Promise<boolean> {
  const { steps, unknown } = await runSequence(run, [move], () => false);
  return unknown === undefined && steps.some(({ isOperation }) => isOperation);
}

async function makeStream(state: Replay, stream: ArchivedStream): Promise<void> {
  state.recorded = Response.json(stream, { status: 201 });
  const { name, profiles, record } = stream;
  const given = structuredClone(profiles) as unknown as Json[];
  const body = { name, record, ...(given.length > 0 && { profiles: given }) };
  await perform(state, { operation: 'createStream', body });
}

/** Does what a tester did. */
async function arrange(state: Replay, arranged: Arranged): Promise<void> {
  if (arranged.kind === 'created') return makeStream(state, arranged.stream);
  const { streamId } = arranged;
  const { made, services } = state.run;
  const id = placeOfId(made, 1, streamId);
  if (id?.of !== 'stream') return;
  state.recorded = new Response(null, { status: 204 });
  if (arranged.kind === 'switched') {
    await perform(state, { operation: 'setRecord', id, body: { record: arranged.record } });
  } else if (arranged.kind === 'deleted') {
    await perform(state, { operation: 'deleteStream', id });
  } else if (arranged.kind === 'ended') {
    const live = made.records.filter(({ stop, deleted }) => stop !== undefined && !deleted);
    const at = live.indexOf(recordAt(made, id) as MadeRecord);
    if (at !== -1) await perform(state, { stop: at });
  } else {
    const { duration, sessionId } = arranged;
    state.session = { id: sessionId, parentId: streamId };
    const { provider } = services[0];
    const isLive = 'goLive' in provider && duration === undefined;
    const move: Move = isLive ? { start: id.at } : { start: id.at, seconds: duration ?? 3.2 };
    const isMade = 'broadcast' in provider && (await perform(state, move));
    if (!isMade) state.incomplete.add(streamId);
  }
}

/** Sends a request, and notes how its response differs from the recorded one. */
async function sendEntry(search: Search, state: Replay, entry: Entry, found: Found): Promise<void> {
  const { run, known, incomplete } = state;
  const move = toMove(entry, { made: run.made, known, incomplete });
  if (typeof move === 'string') return add(found.skipped, move);
  const { status, headers, content } = entry.response;
  const hasBody = ![204, 304].includes(status) && content.text !== undefined;
  state.recorded = new Response(hasBody ? content.text : null, {
    status,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
  });
  const outcome = await runSequence(run, [move], () => false);
  noteOutcome(outcome, found);
  for (const step of outcome.steps) {
    // A session is as long there as its encoder made it.
    const findings = step.findings.filter(({ where }) => !/sourceSegmentsDuration$/.test(where));
    noteStep(search, { ...step, findings }, found);
  }
}
