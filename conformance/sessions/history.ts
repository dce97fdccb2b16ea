import { recommendedProfiles } from '../../interface/ladder.ts';
import type { TargetResponse } from '../target/exchange.ts';
import type { JsonObject } from '../target/expectations.ts';
import { type CreatedStream, createStream } from '../target/operations.ts';
import { listRecorded } from './recorded-list.ts';
import type { NextSession, SessionMaker } from './session-maker.ts';

/** Five streams, live with recording switched at different times. */
export interface History {
  /** With profiles. Recording on, a session until it is ready, off, another session, on again, a third. */
  readonly switched: StreamHistory;
  /** Recorded sessions of `switched` before its first session. */
  readonly beforeOn: readonly JsonObject[];
  /** Recorded sessions of `switched` as the first list with any showed them. */
  readonly seen: readonly JsonObject[];
  /** Recorded sessions of `switched` after recording was turned off. */
  readonly afterOff: readonly JsonObject[];
  /** The second session of `switched` alone. */
  readonly turnedOffLater: StreamHistory;
  /** The third session of `switched`, after recording was turned on again. */
  readonly onAgain: NextSession & { readonly switch: TargetResponse };
  /** Without profiles. Recording on, a session until it is ready. */
  readonly plain: StreamHistory;
  /** A session, then recording on. */
  readonly turnedOnLater: StreamHistory;
  /** Recording on, then off, then a session. */
  readonly turnedOff: StreamHistory;
  /** A session while recording of another stream was on. */
  readonly neverTurnedOn: StreamHistory;
}

/** A stream that was live. */
export interface StreamHistory {
  readonly stream: CreatedStream;
  /** Its recorded sessions as they were listed. */
  readonly listed: readonly JsonObject[];
  /** Those that no other stream lists. */
  readonly own: readonly JsonObject[];
  /** Its session, if the provider showed it. */
  readonly begun: JsonObject | undefined;
  /** The response to the request that switched its recording, if one did. */
  readonly switch: TargetResponse | undefined;
}

/** Goes live on the five streams, on four at once if the provider can. @throws Blocked */
export async function makeHistory(maker: SessionMaker): Promise<History> {
  const { call, broadcast, setRecord, listUntilSeen, listUntilReady } = maker;
  maker.expectEncoder();
  const switched = await createUnrecorded(maker, 'switched', { profiles: recommendedProfiles });
  const plain = await createUnrecorded(maker, 'plain');
  const turnedOnLater = await createUnrecorded(maker, 'turned on later');
  const turnedOff = await createUnrecorded(maker, 'turned off');
  const neverTurnedOn = await createUnrecorded(maker, 'never turned on');
  await setRecord(turnedOff.id, true);
  const off = await setRecord(turnedOff.id, false);
  const on = await setRecord(switched.id, true);
  const beforeOn = await listRecorded(call, switched.id);
  const begun = await broadcast([turnedOnLater, turnedOff, neverTurnedOn, switched]);
  const onLater = await setRecord(turnedOnLater.id, true);
  const seen = await listUntilSeen(switched.id);
  const switchedListed = seen.length === 0 ? seen : await listUntilReady(switched.id);
  const offLater = await setRecord(switched.id, false);
  const plainOn = await setRecord(plain.id, true);
  const [begunLater, plainBegun] = await broadcast([switched, plain]);
  // This session is the last to become ready: by then, all that is wrongly recorded is listed too.
  const plainListed = await listUntilReady(plain.id);
  const afterOff = await listRecorded(call, switched.id);
  const again = await setRecord(switched.id, true);
  const onAgain = { ...(await maker.recordNextSession(switched)), switch: again };
  const histories = withOwn({
    switched: { stream: switched, begun: begun[3], switch: on, listed: switchedListed },
    turnedOffLater: {
      ...{ stream: switched, begun: begunLater, switch: offLater },
      listed: findAdded(switchedListed, afterOff),
    },
    plain: { stream: plain, begun: plainBegun, switch: plainOn, listed: plainListed },
    turnedOnLater: {
      ...{ stream: turnedOnLater, begun: begun[0], switch: onLater },
      listed: await listRecorded(call, turnedOnLater.id),
    },
    turnedOff: {
      ...{ stream: turnedOff, begun: begun[1], switch: off },
      listed: await listRecorded(call, turnedOff.id),
    },
    neverTurnedOn: {
      ...{ stream: neverTurnedOn, begun: begun[2], switch: undefined },
      listed: await listRecorded(call, neverTurnedOn.id),
    },
  });
  return { ...histories, beforeOn, seen, afterOff, onAgain };
}

/** Sessions that a list has more than the one before it; none if only their ids are others. */
function findAdded(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly JsonObject[] {
  const known = new Set(before.map(({ id }) => id));
  return after.length > before.length ? after.filter(({ id }) => !known.has(id)) : [];
}

/** A new stream may record by default, as the interface leaves that open; this one does not. */
export async function createUnrecorded(
  { call, setRecord }: SessionMaker,
  name: string,
  more: JsonObject = {},
): Promise<CreatedStream> {
  const stream = await createStream(call, { name: `conformance, ${name}`, ...more });
  if (stream.shown['record'] !== false) await setRecord(stream.id, false);
  return stream;
}

/** Adds to each stream the sessions that it alone lists. */
function withOwn<Name extends string>(
  histories: Record<Name, Omit<StreamHistory, 'own'>>,
): Record<Name, StreamHistory> {
  const counts = new Map<unknown, number>();
  const all = Object.values<Omit<StreamHistory, 'own'>>(histories);
  for (const { listed } of all) {
    for (const id of new Set(listed.map((session) => session['id']))) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const add = (history: Omit<StreamHistory, 'own'>): StreamHistory => ({
    ...history,
    own: history.listed.filter(({ id }) => counts.get(id) === 1),
  });
  return Object.fromEntries(
    Object.entries<Omit<StreamHistory, 'own'>>(histories).map(([name, one]) => [name, add(one)]),
  ) as Record<Name, StreamHistory>;
}
