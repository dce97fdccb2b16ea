import type { Encoder } from '../../../conformance/providers/provider.ts';
import type { CreatedStream } from '../../../conformance/target/operations.ts';
import { isObject } from '../equal/records.ts';
import type { Move } from '../moves/move.ts';
import { enter, type Member, memberAt, recognize, type Span } from './cast.ts';
import type { Run } from './run.ts';
import { both, type Two } from './side.ts';

/** Carries out a move that sends no request to the interface. @throws Error if a side cannot */
export async function act(run: Run, move: Move): Promise<void> {
  if ('wait' in move) return run.clock.pause(move.wait);
  if ('start' in move) return start(run, move.start, move.seconds);
  if ('stop' in move) return stop(run, move.stop);
}

async function start(run: Run, at: number, seconds: number | undefined): Promise<void> {
  const parent = memberAt(run.cast, { of: 'stream', at });
  if (parent === undefined || parent.stop !== undefined) return;
  const [one, other] = await both(run.services, async ({ provider }, side) => {
    const encoder = provider as Encoder;
    const stream = created(parent, side);
    const from = run.clock.now();
    const session = seconds === undefined ? undefined : await encoder.broadcast(stream, seconds);
    const end = seconds === undefined ? await encoder.goLive?.(stream) : undefined;
    return { session, end, span: { from, to: run.clock.now() } };
  });
  const shown = [one.session ?? {}, other.session ?? {}] as const;
  const member = enter(run.cast, { kind: 'session', ids: [undefined, undefined], shown, parent });
  recognize(run.cast, 0, shown[0]);
  recognize(run.cast, 1, shown[1]);
  member.began = [one.span, other.span];
  if (one.end && other.end) parent.stop = [one.end, other.end];
  else member.ended = member.began;
}

async function stop(run: Run, at: number): Promise<void> {
  const live = run.cast.members.filter((member) => member.stop !== undefined && !member.deleted);
  const parent = live[at % Math.max(1, live.length)];
  if (parent?.stop === undefined) return;
  const ended = await endBoth(run, parent.stop);
  delete parent.stop;
  for (const member of run.cast.members) {
    if (member.parent === parent) member.ended ??= ended;
  }
}

async function endBoth(run: Run, stops: Two<() => Promise<void>>): Promise<Two<Span>> {
  return both(stops, async (end) => {
    const from = run.clock.now();
    await end();
    return { from, to: run.clock.now() };
  });
}

function created({ ids, shown }: Member, side: 0 | 1): CreatedStream {
  const record = isObject(shown[side]) ? shown[side] : {};
  const { streamKey } = record;
  return {
    id: ids[side] ?? '',
    streamKey: typeof streamKey === 'string' ? streamKey : undefined,
    shown: record,
  };
}
