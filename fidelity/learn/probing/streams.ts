import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { pagesOf } from '../../../conformance/target/next-page.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/read-response.ts';
import {
  type CreatedStream,
  createOwnStream,
  get,
  streamPath,
} from '../../../conformance/target/stream-requests.ts';
import { textOf } from '../../json.ts';
import { recordsIn } from '../../response.ts';
import type { Probe, ProbeContext } from './prober.ts';

/** A page of a list. */
export interface ListPage {
  readonly response: TargetResponse;
  readonly records: readonly JsonObject[];
  /** Whether it is an array, and not a single record. */
  readonly isList: boolean;
  /** The ids of the records, as text. */
  readonly ids: readonly string[];
}

/** The records in a response as a page; `undefined` for anything else. */
export function pageIn(response: TargetResponse): ListPage | undefined {
  const found = recordsIn(response);
  return found && { ...found, response, ids: found.records.map(({ id }) => textOf(id)) };
}

/** The pages of a list, as long as the service points to a next one. A single record counts as a page. */
export async function* listPages({ send }: ProbeContext, path: string): AsyncGenerator<ListPage> {
  for await (const response of pagesOf(send, path)) {
    const page = pageIn(response);
    if (page === undefined) return;
    yield page;
  }
}

/** The first page of a list. @throws Blocked if it is refused */
export async function firstPage({ send }: ProbeContext, path: string): Promise<ListPage> {
  const response = await send(get(path));
  const page = pageIn(response);
  if (page?.isList) return page;
  throw new Blocked(
    `needs a list: GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`,
  );
}

/** A record in a response or, if that is a list, on one of its pages. */
export async function findOnPages(
  context: ProbeContext,
  path: string,
  isIt: (record: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  for await (const { records } of listPages(context, path)) {
    const found = records.find(isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A record with an id, as the first of some paths shows it; `undefined` if none does. */
export async function findById(
  context: ProbeContext,
  paths: readonly string[],
  id: string,
): Promise<JsonObject | undefined> {
  for (const path of paths) {
    const found = await findOnPages(context, path, (record) => textOf(record['id']) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An address with one more parameter. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The input for a stream of which a probe needs nothing special. */
export const plainInput = { name: 'learn' } as const;

/** A new stream. @throws Blocked if the target creates none */
export function newStream({ send }: ProbeContext, input?: JsonObject): Promise<CreatedStream> {
  return createOwnStream(send, { ...plainInput, ...input });
}

/** A stream that no probe changes and that has no session. */
export const unchangedStream: Probe<CreatedStream> = (context) => newStream(context);

/** A stream to read: a plain one, or an existing one if nothing may be written. */
export const anyStream: Probe<JsonObject> = async (context) => {
  const { readOnly, provider } = context;
  if (!readOnly) return (await context.ask(unchangedStream)).shown;
  if (provider.name === 'given') return currentStream(context, provider.streamId);
  const [first] = recordsIn(await context.send(get('/stream')))?.records ?? [];
  if (first !== undefined) return first;
  throw new Blocked('needs a stream to read: leave out --read-only, or add --recorded-stream');
};

/** The id of a stream that was deleted. @throws Blocked if it cannot be deleted */
export const deletedStream: Probe<string> = async (context) => {
  const { id } = await newStream(context);
  const response = await context.send({ method: 'DELETE', path: streamPath(id) });
  if (isSuccess(response)) return id;
  throw new Blocked(`needs a deleted stream: DELETE /stream/{id} got status ${response.status}`);
};

/** Creates streams one after the other. */
export const severalStreams: Probe<void> = async (context) => {
  for (let count = 0; count < context.streams; count++) {
    await newStream(context);
    await context.pause(betweenRecords);
  }
};

/** Milliseconds between two creations, so that their times differ. */
export const betweenRecords = 2;

/** The current state of a stream. @throws Blocked if the service does not show it */
export async function currentStream(context: ProbeContext, id: string): Promise<JsonObject> {
  const shown = await findById(context, [streamPath(id), '/stream'], id);
  if (shown !== undefined) return shown;
  throw new Blocked(
    'needs the current state of a stream: neither GET /stream/{id} nor GET /stream shows it',
  );
}
