import type { TargetResponse } from '../target/exchange.ts';
import type { JsonObject } from '../target/expectations.ts';
import { type CreatedStream, patch, recordPath } from '../target/operations.ts';
import { createUnrecorded } from './history.ts';
import { isReady, listRecorded } from './recorded-list.ts';
import type { SessionMaker } from './session-maker.ts';

/** Three streams that were live, two of which were switched meanwhile. */
export interface LiveSwitches {
  readonly off: LiveSwitch;
  readonly on: LiveSwitch;
  /** Recorded sessions of the stream that was not switched: none if a session as short is not kept. */
  readonly unswitched: readonly JsonObject[];
  /** Milliseconds from the end of its session until that was ready; absent if it took too long. */
  readonly readyAfter: number | undefined;
}

/** A stream that was switched while it was live. */
interface LiveSwitch {
  /** Whether the switch is accepted is left open. */
  readonly response: TargetResponse;
  /** Recorded sessions while it was live, before the switch. */
  readonly before: readonly JsonObject[];
  /** Recorded sessions after it had ended. */
  readonly after: readonly JsonObject[];
}

/** Goes live on two streams with recording on, and one with recording off. @throws Blocked */
export async function makeLiveSwitches(maker: SessionMaker): Promise<LiveSwitches> {
  const { call, goLive, setRecord, listUntilReady } = maker;
  maker.expectEncoder();
  const on = await createUnrecorded(maker, 'turned on while live');
  const off = await createUnrecorded(maker, 'turned off while live');
  const unswitched = await createUnrecorded(maker, 'live');
  for (const { id } of [off, unswitched]) await setRecord(id, true);
  const ends: (() => Promise<void>)[] = [];
  for (const stream of [on, off, unswitched]) ends.push(await goLive(stream));
  const switchLive = async ({ id }: CreatedStream, record: boolean) => ({
    before: await listRecorded(call, id),
    response: await call(patch(recordPath(id), { record })),
  });
  const switchedOn = await switchLive(on, true);
  const switchedOff = await switchLive(off, false);
  for (const end of ends) await end();
  const ended = performance.now();
  // The last to end is the last to become ready: by then, what is wrongly recorded is listed too.
  const listed = await listUntilReady(unswitched.id);
  const readyAfter = listed.some(isReady) ? performance.now() - ended : undefined;
  return {
    on: { ...switchedOn, after: await listRecorded(call, on.id) },
    off: { ...switchedOff, after: await listUntilReady(off.id) },
    unswitched: listed,
    readyAfter,
  };
}
