import type { TargetResponse } from '../target/exchange.ts';
import type { JsonObject } from '../target/expectations.ts';
import {
  type CreatedStream,
  createStream,
  get,
  recordedSessionsPath,
} from '../target/operations.ts';
import { until } from '../target/until.ts';
import { isReady, listUntil } from './recorded-list.ts';
import type { SessionMaker } from './session-maker.ts';

/** A stream with recording on, after its first session. */
export interface FirstSession {
  readonly stream: CreatedStream;
  readonly streamId: string;
  /** The first list that was not an empty array, or else the last one. */
  readonly response: TargetResponse;
}

/** A stream with sessions that were made one after the other. */
export interface SeveralSessions {
  readonly streamId: string;
  /** Sessions that were made: four, or fewer if one of them was not ready in time. */
  readonly made: number;
  /** Its recorded sessions, as listed at the end. */
  readonly listed: readonly JsonObject[];
}

const mostSessions = 4;

/** Goes live once, on a new stream. */
export async function makeFirstSession(maker: SessionMaker): Promise<FirstSession> {
  const { call, patience } = maker;
  maker.expectEncoder();
  const stream = await createStream(call, { name: 'conformance, several' });
  await maker.setRecord(stream.id, true);
  await maker.broadcast([stream]);
  const list = () => call(get(recordedSessionsPath(stream.id)));
  const found = await until(patience, async () => {
    const response = await list();
    return response.text.trim() === '[]' ? undefined : response;
  });
  return { stream, streamId: stream.id, response: found ?? (await list()) };
}

/** Goes live on the stream again, each time when all sessions before are ready, and so have ended. */
export async function makeSeveralSessions(
  { call, broadcast, patience }: SessionMaker,
  { stream }: FirstSession,
): Promise<SeveralSessions> {
  const hasAll = (listed: readonly JsonObject[], count: number): boolean =>
    new Set(listed.map(({ id }) => id)).size >= count && listed.every(isReady);
  for (let made = 1; ; made++) {
    const listed = await listUntil(call, stream.id, patience, (list) => hasAll(list, made));
    if (made === mostSessions || !hasAll(listed, made)) {
      return { streamId: stream.id, made, listed };
    }
    await broadcast([stream]);
  }
}
