import type { Encoder } from '../../../conformance/providers/provider.ts';
import type { CreatedStream } from '../../../conformance/target/operations.ts';
import { isObject } from '../../json.ts';
import type { Move } from '../moves/move.ts';
import { addRecord, type MadeRecord, recognize, recordAt, type Span } from './made-records.ts';
import type { Run } from './run.ts';
import { both, type Two } from './services.ts';

/**
 * Carries out a move that sends no request to the interface.
 * @returns whether both sides were asked to go live or to stop
 * @throws Error if a side cannot
 */
export async function perform(run: Run, move: Move): Promise<boolean> {
  if ('start' in move) return start(run, move.start, move.seconds);
  if ('stop' in move) return stop(run, move.stop);
  if ('wait' in move) await run.clock.pause(move.wait);
  return false;
}

async function start(run: Run, at: number, seconds: number | undefined): Promise<boolean> {
  const parent = recordAt(run.made, { of: 'stream', at });
  if (parent === undefined || parent.stop !== undefined) return false;
  const ends: (() => Promise<void>)[] = [];
  const [one, other] = await both(run.services, async ({ provider }, side) => {
    const encoder = provider as Encoder;
    const stream = streamOf(parent, side);
    const from = run.clock.now();
    const session = seconds === undefined ? undefined : await encoder.broadcast(stream, seconds);
    const end = seconds === undefined ? await encoder.goLive?.(stream) : undefined;
    if (end !== undefined) ends.push(end);
    return { session, end, span: { from, to: run.clock.now() } };
  }).catch(async (error: unknown) => {
    // What is live on one side alone is of no use.
    for (const end of ends) await end().catch(() => {});
    throw error;
  });
  const shown = [one.session ?? {}, other.session ?? {}] as const;
  const session = addRecord(run.made, {
    kind: 'session',
    ids: [undefined, undefined],
    shown,
    parent,
  });
  recognize(run.made, 0, shown[0]);
  recognize(run.made, 1, shown[1]);
  session.began = [one.span, other.span];
  if (one.end && other.end) parent.stop = [one.end, other.end];
  else session.ended = session.began;
  return true;
}

async function stop(run: Run, at: number): Promise<boolean> {
  const live = run.made.records.filter((stream) => stream.stop !== undefined && !stream.deleted);
  const parent = live[at % Math.max(1, live.length)];
  if (parent?.stop === undefined) return false;
  noteEnd(run, parent, await endBoth(run, parent.stop));
  return true;
}

/** Notes that both services have ended the live session of a stream, and ends its encoders. */
export async function endEncoders(run: Run, parent: MadeRecord, ended: Span): Promise<void> {
  if (parent.stop === undefined) return;
  // An encoder that has noticed it has nothing left to end.
  await both(parent.stop, (end) => end().catch(() => {}));
  noteEnd(run, parent, [ended, ended]);
}

function noteEnd({ made }: Run, parent: MadeRecord, ended: Two<Span>): void {
  delete parent.stop;
  for (const session of made.records) {
    if (session.parent === parent) session.ended ??= ended;
  }
}

async function endBoth(run: Run, stops: Two<() => Promise<void>>): Promise<Two<Span>> {
  return both(stops, async (end) => {
    const from = run.clock.now();
    await end();
    return { from, to: run.clock.now() };
  });
}

function streamOf({ ids, shown }: MadeRecord, side: 0 | 1): CreatedStream {
  const record = isObject(shown[side]) ? shown[side] : {};
  const { streamKey } = record;
  return {
    id: ids[side] ?? '',
    streamKey: typeof streamKey === 'string' ? streamKey : undefined,
    shown: record,
  };
}
