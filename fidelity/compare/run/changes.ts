import type { Encoder } from '../../../conformance/providers/provider.ts';
import { deleteStream } from '../../../conformance/run/clean-up.ts';
import { inParallel } from '../../../conformance/run/parallel.ts';
import { createCaller } from '../../../conformance/target/creations.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { isReading } from '../../../conformance/target/gate.ts';
import { type CreatedStream, post, readId } from '../../../conformance/target/operations.ts';
import { isObject } from '../../json.ts';
import { readJson } from '../equal/read-json.ts';
import { type Move, operations, type RequestMove } from '../moves/move.ts';
import { addRecord, type MadeRecord, recognize, recordAt, type Span } from './made-records.ts';
import type { Run } from './run.ts';
import { both, type Service, type Two } from './side.ts';

/** Notes what a request changed; `true` if only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  span: Span,
): Promise<boolean> {
  const { made } = run;
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (creates(move)) {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    const shown = responses.map((response) => readJson(response) ?? {}) as [JsonObject, JsonObject];
    if (ids.includes(undefined)) return true;
    addRecord(made, { kind: 'stream', ids: [...ids], shown });
  }
  const addressed = move.id && recordAt(made, move.id);
  if (addressed === undefined) return false;
  if (deletes(move)) {
    addressed.deleted = true;
    delete addressed.stop;
  } else if (methodOf(move) === 'DELETE') await endEncoders(run, addressed, span);
  return false;
}

function methodOf(move: RequestMove): string {
  return move.method ?? operations[move.operation].method;
}

/** Whether a request may change something. */
export function isWrite(move: RequestMove): boolean {
  return !isReading(methodOf(move));
}

/** Whether a request deletes what it names, and does not only end its session. */
function deletes(move: RequestMove): boolean {
  return methodOf(move) === 'DELETE' && move.operation !== 'terminateStream';
}

/** Whether a request creates a stream. */
export function creates(move: RequestMove): boolean {
  return methodOf(move) === 'POST' && operations[move.operation].path === '/stream';
}

/** Creates a stream of another API key, once in a sequence; `false` if that is not possible. */
export async function createForOtherKey(run: Run): Promise<boolean> {
  if (run.made.records.some(({ kind }) => kind === 'other-key')) return true;
  const [one, other] = await both(run.services, async ({ other: owner }) => {
    if (owner === undefined) return undefined;
    const send = createCaller(owner.target, owner.creations, () => {});
    return readId(await send(post('/stream', { name: 'of another key' })));
  });
  if (one === undefined || other === undefined) return false;
  addRecord(run.made, { kind: 'other-key', ids: [one, other], shown: [{}, {}] });
  return true;
}

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
  const [one, other] = await both(run.services, ({ provider, creations }, side) => {
    creations.live.add(parent.ids[side] ?? '');
    return goLive(run, provider as Encoder, streamOf(parent, side), seconds);
  });
  const refused = [one, other].flatMap((side) => side.refused ?? []);
  if (refused.length > 0) {
    // What is live on one side alone is of no use; a suspended stream goes live on neither.
    for (const { end } of [one, other]) await end?.().catch(() => {});
    if (refused.length === 2) return false;
    throw refused[0];
  }
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

/** What became of going live on one side. */
interface WentLive {
  readonly session?: JsonObject | undefined;
  readonly end?: (() => Promise<void>) | undefined;
  readonly span: Span;
  readonly refused?: Blocked;
}

async function goLive(
  { clock }: Run,
  encoder: Encoder,
  stream: CreatedStream,
  seconds: number | undefined,
): Promise<WentLive> {
  const from = clock.now();
  const span = (): Span => ({ from, to: clock.now() });
  try {
    if (seconds === undefined) return { end: await encoder.goLive?.(stream), span: span() };
    return { session: await encoder.broadcast(stream, seconds), span: span() };
  } catch (error) {
    if (error instanceof Blocked) return { refused: error, span: span() };
    throw error;
  }
}

async function stop(run: Run, at: number): Promise<boolean> {
  const live = run.made.records.filter((stream) => stream.stop !== undefined && !stream.deleted);
  const parent = live[at % Math.max(1, live.length)];
  if (parent?.stop === undefined) return false;
  noteEnd(run, parent, await endBoth(run, parent.stop));
  return true;
}

/** Notes that both services have ended the live session of a stream, and ends its encoders. */
async function endEncoders(run: Run, parent: MadeRecord, ended: Span): Promise<void> {
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

/** Ends what a sequence left live, and deletes its streams. */
type Clean = (made: readonly MadeRecord[]) => Promise<void>;

const deletedAtOnce = 8;

/** Called before a sequence: only what is created from now on is deleted. */
export function prepareCleaning(services: readonly Service[]): Clean {
  const accounts = services.flatMap((service) => [
    service,
    ...(service.other ? [service.other] : []),
  ]);
  // What an earlier sequence could not delete is left for the end.
  const before = accounts.map(({ creations }) => creations.streams.length);
  return async (made) => {
    for (const { stop } of made) {
      if (stop !== undefined) await both(stop, (end) => end().catch(() => {}));
    }
    await Promise.all(
      accounts.map(async ({ target, creations: { streams } }, index) => {
        const ids = [...new Set(streams.slice(before[index] ?? 0))];
        const results = await inParallel(ids, deletedAtOnce, (id) => deleteStream(target, id));
        // Until then they count as left, in case that everything is to end.
        streams.splice(before[index] ?? 0);
        streams.push(...ids.filter((_, place) => results[place] === 'failed'));
      }),
    );
  };
}
