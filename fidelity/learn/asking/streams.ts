import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { nextQuery } from '../../../conformance/target/next-page.ts';
import {
  type CreatedStream,
  createStream,
  get,
  post,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { isObject, textOf } from '../../json.ts';
import type { Asking, Question } from './asking.ts';

/** What a response shows: its records, and the key of the object around them, if there is one. */
export interface Shown {
  readonly records: readonly JsonObject[];
  readonly isList: boolean;
  readonly wrapper: string | null;
}

/**
 * The records in a response of success: an array, one record, or either at the one key that holds it.
 * `undefined` for anything else, such as a web page.
 */
export function recordsIn(response: TargetResponse): Shown | undefined {
  const body = isSuccess(response) ? bodyOf(response) : undefined;
  const whole = shownIn(body, null);
  if (whole !== undefined || !isObject(body)) return whole;
  const parts = Object.entries(body).map(([key, value]) => shownIn(value, key));
  return parts.find((part) => part !== undefined);
}

function shownIn(value: unknown, wrapper: string | null): Shown | undefined {
  if (Array.isArray(value)) return { records: value.filter(isObject), isList: true, wrapper };
  return isObject(value) && 'id' in value
    ? { records: [value], isList: false, wrapper }
    : undefined;
}

/** The JSON of a response; `undefined` where it is none. */
export function bodyOf(response: TargetResponse): unknown {
  try {
    return response.json;
  } catch {
    return undefined;
  }
}

/** The one record in a response. */
export function recordIn(response: TargetResponse): JsonObject | undefined {
  const shown = recordsIn(response);
  return shown?.isList === false ? shown.records[0] : undefined;
}

/** The ids of records, as texts. */
function idsOf(records: readonly JsonObject[]): readonly string[] {
  return records.map(({ id }) => textOf(id));
}

/** A page of a list. */
export interface Page extends Shown {
  readonly path: string;
  readonly response: TargetResponse;
  readonly ids: readonly string[];
}

/** Pages of a list that are read. */
const mostPages = 60;

/** The pages of a list, as far as the service tells of a next one; a record alone is a page, too. */
export async function* pagesOf({ send }: Asking, path: string): AsyncGenerator<Page> {
  const [before = ''] = path.split('?');
  let next: string | undefined = path;
  for (let page = 0; page < mostPages && next !== undefined; page++) {
    const response: TargetResponse = await send(get(next));
    const shown = recordsIn(response);
    if (shown === undefined) return;
    yield { ...shown, path: next, response, ids: idsOf(shown.records) };
    const query: string | undefined = nextQuery(response, next.slice(before.length));
    next = query && before + query;
  }
}

/** The first page of a list. @throws Blocked where it is refused */
export async function firstPage({ send }: Asking, path: string): Promise<Page> {
  const response = await send(get(path));
  const shown = recordsIn(response);
  if (shown?.isList) return { ...shown, path, response, ids: idsOf(shown.records) };
  throw new Blocked(
    `a list: GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`,
  );
}

/** A record in a response, or where that is a list on one of its pages. */
export async function findOnPages(
  asking: Asking,
  path: string,
  isIt: (record: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  for await (const { records } of pagesOf(asking, path)) {
    const found = records.find(isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An address with one more parameter. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Queries with which the first page of a list may show a new record, the plainest first. */
const queries = (id: string): readonly string[] => [
  'limit=1000',
  'order=createdAt-true',
  `filters=${encodeURIComponent(JSON.stringify([{ id: 'id', value: id }]))}`,
];

/** A stream among all streams, on whatever page it is; `undefined` where it is on none that was found. */
export async function findListed(
  asking: Asking,
  id: string,
  isIt = (record: JsonObject): boolean => textOf(record['id']) === id,
): Promise<JsonObject | undefined> {
  const paths = ['/stream', ...queries(id).map((query) => withQuery('/stream', query))];
  for (const path of paths) {
    const found = recordsIn(await asking.send(get(path)))?.records.find(isIt);
    if (found !== undefined) return found;
  }
  return findOnPages(asking, '/stream', isIt);
}

/** What every stream is created with of which nothing else is asked. */
export const plainInput = { name: 'learn' } as const;

/** A new stream. @throws Blocked if the target creates none */
export function newStream({ send }: Asking, input?: JsonObject): Promise<CreatedStream> {
  return createStream(send, { ...plainInput, ...input });
}

/** The response to the plainest creation. @throws Blocked where it is refused */
export const creation: Question<TargetResponse> = async (asking) => {
  const response = await asking.send(post('/stream', plainInput));
  if (isSuccess(response)) return response;
  throw new Blocked(`a stream without profiles: its creation got status ${response.status}`);
};

/** A stream that no probe changes and that has no session. */
export const plainStream: Question<CreatedStream> = (asking) => newStream(asking);

/** A stream to read: a plain one, or where nothing may be written one that is there. */
export const anyStream: Question<JsonObject> = async (asking) => {
  const { readOnly, provider } = asking;
  if (!readOnly) return (await asking.ask(plainStream)).shown;
  if (provider.name === 'given') return showStream(asking, provider.streamId);
  const [first] = recordsIn(await asking.send(get('/stream')))?.records ?? [];
  if (first !== undefined) return first;
  throw new Blocked('a stream to read: leave out --read-only, or add --recorded-stream');
};

/** The id of a stream that was deleted. @throws Blocked if it cannot be deleted */
export const deletedStream: Question<string> = async (asking) => {
  const { id } = await newStream(asking);
  const response = await asking.send({ method: 'DELETE', path: streamPath(id) });
  if (isSuccess(response)) return id;
  throw new Blocked(`a deleted stream: DELETE /stream/{id} got status ${response.status}`);
};

/** Makes streams one after the other. */
export const severalStreams: Question<void> = async (asking) => {
  for (let count = 0; count < asking.streams; count++) {
    await newStream(asking);
    await asking.pause(betweenRecords);
  }
};

/** Milliseconds, so that times of creation differ. */
export const betweenRecords = 2;

/** A stream as it is shown now. @throws Blocked if the service shows it nowhere */
export async function showStream(asking: Asking, id: string): Promise<JsonObject> {
  const shown = recordIn(await asking.send(get(streamPath(id)))) ?? (await findListed(asking, id));
  if (shown !== undefined) return shown;
  throw new Blocked('a stream as it is now: neither GET /stream/{id} nor GET /stream shows it');
}
