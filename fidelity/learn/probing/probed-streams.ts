import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import {
  type CreatedStream,
  createOwnStream,
  get,
  setOwnRecord,
  streamPath,
} from '../../../target/streams/stream-requests.ts';
import { itemsIn } from '../../response-items.ts';
import { findById } from './pages.ts';
import { need, type Probe, type ProbeContext } from './prober.ts';

/** The input for a stream of which a probe needs nothing special. */
export const plainInput = { name: 'learn' } as const;

/** A new stream. @throws Blocked if the target creates none */
export function newStream({ arrange }: Pick<ProbeContext, 'arrange'>): Promise<CreatedStream> {
  return createOwnStream(arrange, plainInput);
}

/** A new stream that is recorded. */
export async function newRecordedStream(context: ProbeContext): Promise<CreatedStream> {
  const stream = await newStream(context);
  await setOwnRecord(context.arrange, stream.id, true, 0);
  return stream;
}

/** A stream that no probe changes and that has no session. */
export const unchangedStream: Probe<CreatedStream> = (context) => newStream(context);

/** A stream to read: a plain one, or an existing one if nothing may be written. */
export const anyStream: Probe<JsonObject> = async (context) => {
  const { readOnly, provider } = context;
  if (!readOnly) return (await context.ask(unchangedStream)).fields;
  if (provider.name === 'given') return currentStream(context, provider.streamId);
  const [first] = itemsIn(await context.send(get('/stream')))?.items ?? [];
  return need(first, 'a stream to read: leave out --read-only, or add --recorded-stream');
};

/** The id of a stream that was deleted. @throws Blocked if it cannot be deleted */
export const deletedStream: Probe<string> = async (context) => {
  const { id } = await newStream(context);
  const response = await context.send({ method: 'DELETE', path: streamPath(id) });
  const got = `DELETE /stream/{id} got status ${response.status}`;
  return need(isSuccess(response) && id, `a deleted stream: ${got}`);
};

/** Creates streams one after the other. */
export const severalStreams: Probe<void> = async (context) => {
  for (let count = 0; count < context.streams; count++) {
    await newStream(context);
    await context.pause(betweenItems);
  }
};

/** Milliseconds between two creations, so that their times differ. */
export const betweenItems = 2;

/** The current state of a stream. @throws Blocked if the service does not show it */
export async function currentStream(context: ProbeContext, id: string): Promise<JsonObject> {
  const stream = await findById(context, [streamPath(id), '/stream'], id);
  const where = 'neither GET /stream/{id} nor GET /stream shows it';
  return need(stream, `the current state of a stream: ${where}`);
}
