import type { Exchange } from '../model/report.ts';
import type { TargetResponse } from '../target/exchange.ts';
import type { JsonObject } from '../target/expectations.ts';
import { type CreatedStream, createStream, recordedPath } from '../target/operations.ts';
import { until } from '../target/until.ts';
import { isReady, listUntil } from './recorded-list.ts';
import type { SessionMaker } from './shared-sessions.ts';

/** A stream whose recording is on, after its first session. */
export interface FirstSession {
  readonly stream: CreatedStream;
  /** The first answer of its list that is no empty array, or the last one. */
  readonly response: TargetResponse;
}

/** A stream with sessions that were made one after the other. */
export interface SeveralSessions {
  readonly streamId: string;
  /** Sessions that were made: four, or fewer where one of them was not listed as ready in time. */
  readonly made: number;
  /** Its recorded sessions, as they were listed when the last one had had its time. */
  readonly listed: readonly JsonObject[];
  readonly exchanges: readonly Exchange[];
}

const mostSessions = 4;

/** Goes live on a new stream once. */
export async function makeFirstSession(maker: SessionMaker): Promise<FirstSession> {
  const { call, broadcaster, setRecord } = maker;
  const broadcast = broadcaster();
  const stream = await createStream(call, { name: 'conformance, several' });
  await setRecord(call, stream.id, true);
  await broadcast([stream]);
  return { stream, response: await firstList(maker, stream.id) };
}

/** The first answer of a stream's list that is no empty array, or the last one. */
async function firstList({ call, patience }: SessionMaker, id: string): Promise<TargetResponse> {
  const list = () => call({ method: 'GET', path: recordedPath(id) });
  const found = await until(patience, async () => {
    const response = await list();
    return response.text.trim() === '[]' ? undefined : response;
  });
  return found ?? list();
}

/** Goes live on the stream again. One session begins when those before are ready, and so over. */
export async function makeSeveralSessions(
  { call, exchanges, broadcaster, patience }: SessionMaker,
  { stream }: FirstSession,
): Promise<SeveralSessions> {
  const hasAll = (listed: readonly JsonObject[], count: number): boolean =>
    new Set(listed.map(({ id }) => id)).size >= count && listed.every(isReady);
  for (let made = 1; ; made++) {
    const listed = await listUntil(call, stream.id, patience, (list) => hasAll(list, made));
    if (made === mostSessions || !hasAll(listed, made)) {
      return { streamId: stream.id, made, listed, exchanges };
    }
    await broadcaster()([stream]);
  }
}
