import { recommendedProfiles } from '../interface/ladder.ts';
import type { JsonObject } from './expectations.ts';
import type { Exchange } from './model/report.ts';
import { type CreatedStream, createStream } from './operations.ts';
import { listRecorded, listUntilReady } from './recorded-list.ts';
import type { Stage } from './studio.ts';
import type { Answer } from './target/exchange.ts';

/** What became of five streams, each live once. */
export interface History {
  /** Recording on, a session until it is ready, recording off. It has the recommended profiles. */
  readonly switched: Past;
  /** Its recorded sessions before its session. */
  readonly beforeOn: readonly JsonObject[];
  /** Its recorded sessions after recording was turned off. */
  readonly afterOff: readonly JsonObject[];
  /** Recording on, a session until it is ready. It has no profiles. */
  readonly other: Past;
  /** A session, recording on. */
  readonly earlier: Past;
  /** Recording on and off, a session. */
  readonly turnedOff: Past;
  /** A session while recording of another stream was on. */
  readonly bystander: Past;
  readonly exchanges: readonly Exchange[];
}

/** A stream that was live. */
export interface Past {
  readonly stream: CreatedStream;
  /** Its recorded sessions as they were listed. */
  readonly listed: readonly JsonObject[];
  /** Those that no other of the streams lists. */
  readonly own: readonly JsonObject[];
  /** The session that it was live with, where the provider showed it. */
  readonly begun: JsonObject | undefined;
  /** The answer to the last switch of its recording. */
  readonly switch: Answer | undefined;
}

type Name = 'switched' | 'other' | 'earlier' | 'turnedOff' | 'bystander';

/** Makes the history of a run: sessions begin at once where the provider can do that. */
export async function makeHistory(stage: Stage): Promise<History> {
  const { call, exchanges, broadcaster, patience, setRecord } = stage;
  // Whether there is an encoder is found out before streams are made for it.
  const broadcast = broadcaster();
  const streams = {
    switched: await createQuiet(stage, 'switched', { profiles: recommendedProfiles }),
    other: await createQuiet(stage, 'other'),
    earlier: await createQuiet(stage, 'earlier'),
    turnedOff: await createQuiet(stage, 'turned off'),
    bystander: await createQuiet(stage, 'bystander'),
  } as const satisfies Record<Name, CreatedStream>;
  const { switched, other, earlier, turnedOff, bystander } = streams;
  const switches = new Map<CreatedStream, Answer>();
  const turn = async (stream: CreatedStream, record: boolean): Promise<void> => {
    switches.set(stream, await setRecord(call, stream.id, record));
  };
  await turn(turnedOff, true);
  await turn(turnedOff, false);
  await turn(switched, true);
  const beforeOn = await listRecorded(call, switched.id);
  const together = [earlier, turnedOff, bystander, switched];
  const shown = await broadcast(together);
  await turn(earlier, true);
  const whileOn = await listUntilReady(call, switched.id, patience);
  const turnedOn = switches.get(switched);
  await turn(switched, false);
  await turn(other, true);
  const [otherShown] = await broadcast([other]);
  // The last session to become ready: by then what is wrongly recorded is listed as well.
  const lists: Readonly<Record<Name, readonly JsonObject[]>> = {
    other: await listUntilReady(call, other.id, patience),
    switched: whileOn,
    earlier: await listRecorded(call, earlier.id),
    turnedOff: await listRecorded(call, turnedOff.id),
    bystander: await listRecorded(call, bystander.id),
  };
  const past = (name: Name): Past => {
    const stream = streams[name];
    const others = Object.entries(lists).flatMap(([key, list]) => (key === name ? [] : list));
    const foreign = new Set(others.map(({ id }) => id));
    return {
      stream,
      listed: lists[name],
      own: lists[name].filter(({ id }) => !foreign.has(id)),
      begun: stream === other ? otherShown : shown[together.indexOf(stream)],
      switch: stream === switched ? turnedOn : switches.get(stream),
    };
  };
  return {
    switched: past('switched'),
    beforeOn,
    afterOff: await listRecorded(call, switched.id),
    other: past('other'),
    earlier: past('earlier'),
    turnedOff: past('turnedOff'),
    bystander: past('bystander'),
    exchanges,
  };
}

/** A new stream may record by default: whether it does is the target's own affair. */
async function createQuiet(
  { call, setRecord }: Stage,
  name: string,
  more: JsonObject = {},
): Promise<CreatedStream> {
  const stream = await createStream(call, { name: `conformance, ${name}`, ...more });
  if (stream.shown['record'] !== false) await setRecord(call, stream.id, false);
  return stream;
}
