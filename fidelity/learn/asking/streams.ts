import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { nextQuery } from '../../../conformance/target/next-page.ts';
import {
  type CreatedStream,
  createStream,
  get,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { textOf } from '../../json.ts';
import type { Asking, Question } from './asking.ts';
import { recordIn, recordsIn } from './records.ts';

/** What every stream is created with of which nothing else is asked. */
const plainInput = { name: 'learn' } as const;

/** A new stream. @throws Blocked if the target creates none */
export function newStream(asking: Asking, input?: JsonObject): Promise<CreatedStream> {
  return createStream(asking.send, { ...plainInput, ...input });
}

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

/** The id of a stream of another API key. @throws Blocked without another key */
export async function otherStream(asking: Asking): Promise<CreatedStream> {
  return createStream(asking.sendAsOther, plainInput);
}

/** Streams that are made one after the other, first to last. */
export const severalStreams: Question<readonly string[]> = async (asking) => {
  const ids: string[] = [];
  while (ids.length < asking.streams) {
    ids.push((await newStream(asking)).id);
    await asking.pause(betweenRecords);
  }
  return ids;
};

/** Milliseconds, so that times of creation differ. */
export const betweenRecords = 2;

/** A stream as it is shown now. @throws Blocked if the service shows it nowhere */
export async function showStream(asking: Asking, id: string): Promise<JsonObject> {
  const shown = recordIn(await asking.send(get(streamPath(id))));
  if (shown !== undefined) return shown;
  const listed = await findListed(asking, '/stream', id);
  if (listed !== undefined) return listed;
  throw new Blocked('a stream as it is now: neither GET /stream/{id} nor GET /stream shows it');
}

/** Queries with which the first page of a list may show a new record, the plainest first. */
const queries = (id: string): readonly string[] => [
  '',
  '?order=createdAt-true',
  '?limit=1000',
  `?filters=${encodeURIComponent(JSON.stringify([{ id: 'id', value: id }]))}`,
];

/** Pages that are followed for one record. */
const mostPages = 50;

/** A record among those of a list, on whatever page it is; `undefined` where it is on none that was found. */
export async function findListed(
  asking: Asking,
  path: string,
  id: string,
  isIt = (record: JsonObject): boolean => textOf(record['id']) === id,
): Promise<JsonObject | undefined> {
  for (const query of queries(id)) {
    const found = recordsIn(await asking.send(get(path + query)))?.records.find(isIt);
    if (found !== undefined) return found;
  }
  return findOnPages(asking, path, isIt);
}

/** A record in a response, or where that is a list on one of its pages. */
export async function findOnPages(
  { send }: Asking,
  path: string,
  isIt: (record: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const [before = ''] = path.split('?');
  let next: string | undefined = path;
  for (let page = 0; page < mostPages && next !== undefined; page++) {
    const response: TargetResponse = await send(get(next));
    const shown = recordsIn(response);
    const found = shown?.records.find(isIt);
    if (found !== undefined || shown === undefined) return found;
    const query: string | undefined = nextQuery(response, next.slice(before.length));
    next = query && before + query;
  }
  return undefined;
}
