import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Exchange } from '../model/report.ts';
import type { TargetResponse } from '../target/exchange.ts';
import type { JsonObject } from '../target/expectations.ts';
import { type CreatedStream, createStream } from '../target/operations.ts';
import { listRecorded, listUntilReady } from './recorded-list.ts';
import type { SessionMaker } from './shared-sessions.ts';

/** What became of five streams, each live once. */
export interface History {
  /** Recording on, a session until it is ready, recording off. It has the recommended profiles. */
  readonly switched: StreamHistory;
  /** Its recorded sessions before its session. */
  readonly beforeOn: readonly JsonObject[];
  /** Its recorded sessions after recording was turned off. */
  readonly afterOff: readonly JsonObject[];
  /** Recording on, a session until it is ready. It has no profiles. */
  readonly other: StreamHistory;
  /** A session, recording on. */
  readonly earlier: StreamHistory;
  /** Recording on and off, a session. */
  readonly turnedOff: StreamHistory;
  /** A session while recording of another stream was on. */
  readonly bystander: StreamHistory;
  readonly exchanges: readonly Exchange[];
}

/** A stream that was live. */
export interface StreamHistory {
  readonly stream: CreatedStream;
  /** Its recorded sessions as they were listed. */
  readonly listed: readonly JsonObject[];
  /** Those that no other of the streams lists. */
  readonly own: readonly JsonObject[];
  /** The session that it was live with, where the provider showed it. */
  readonly begun: JsonObject | undefined;
  /** The answer to the last switch of its recording. */
  readonly switch: TargetResponse | undefined;
}

type Name = 'switched' | 'other' | 'earlier' | 'turnedOff' | 'bystander';

/** Makes the history of a run: sessions begin at once where the provider can do that. */
export async function makeHistory(maker: SessionMaker): Promise<History> {
  const { call, exchanges, broadcaster, patience, setRecord } = maker;
  // Whether there is an encoder is found out before streams are made for it.
  const broadcast = broadcaster();
  const streams = {
    switched: await createQuiet(maker, 'switched', { profiles: recommendedProfiles }),
    other: await createQuiet(maker, 'other'),
    earlier: await createQuiet(maker, 'earlier'),
    turnedOff: await createQuiet(maker, 'turned off'),
    bystander: await createQuiet(maker, 'bystander'),
  } as const satisfies Record<Name, CreatedStream>;
  const { switched, other, earlier, turnedOff, bystander } = streams;
  const switches = new Map<CreatedStream, TargetResponse>();
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
  const historyOf = (name: Name): StreamHistory => {
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
    switched: historyOf('switched'),
    beforeOn,
    afterOff: await listRecorded(call, switched.id),
    other: historyOf('other'),
    earlier: historyOf('earlier'),
    turnedOff: historyOf('turnedOff'),
    bystander: historyOf('bystander'),
    exchanges,
  };
}

/** A new stream may record by default: whether it does is the target's own affair. */
async function createQuiet(
  { call, setRecord }: SessionMaker,
  name: string,
  more: JsonObject = {},
): Promise<CreatedStream> {
  const stream = await createStream(call, { name: `conformance, ${name}`, ...more });
  if (stream.shown['record'] !== false) await setRecord(call, stream.id, false);
  return stream;
}
