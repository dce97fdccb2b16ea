import type { InterfaceOperationName } from '../../interface/operation-names.ts';
import { pageLimit } from '../../interface/operations.ts';
import type { NewStream } from '../../interface/types.ts';
import { jsonTextResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import {
  findParent,
  findSession,
  findStream,
  listSessions,
  listStreams,
} from '../service/queries.ts';
import { createStream, deleteStream, setRecord } from '../service/streams.ts';
import type { Page, PageRequest } from '../state/ordered.ts';
import type { Call, Handler } from './call.ts';
import { sessionText, streamText } from './record-text.ts';

/** What each operation of the interface does. */
export const interfaceHandlers: Readonly<Record<InterfaceOperationName, Handler>> = {
  createStream({ world, body }) {
    const stream = createStream(world, body as NewStream);
    return jsonTextResponse(201, [streamText(world, stream)]);
  },
  listStreams(call) {
    const page = listStreams(call.world, readPaging(call.url));
    return answerPage(call.url, page, (stream) => streamText(call.world, stream));
  },
  retrieveStream({ world, id, origin }) {
    const found = findStream(world, id);
    return jsonTextResponse(200, [
      'parentId' in found ? sessionText(world, found, origin) : streamText(world, found),
    ]);
  },
  deleteStream({ world, id }) {
    deleteStream(world, id);
    return plainResponse(204, null);
  },
  setRecord({ world, id, body }) {
    setRecord(world, id, (body as { record: boolean }).record);
    return plainResponse(204, null);
  },
  listSessionsOfStream(call) {
    return answerSessions(call, () => findParent(call.world, call.id).id);
  },
  listSessions(call) {
    return answerSessions(call, () => call.url.searchParams.get('parentId') ?? undefined);
  },
  retrieveSession({ world, id, origin }) {
    return jsonTextResponse(200, [sessionText(world, findSession(world, id), origin)]);
  },
};

/** In the field's order: the query is read before its stream is looked for. */
function answerSessions(
  { world, url, origin }: Call,
  findParentId: () => string | undefined,
): PlainResponse {
  const record = recordValues.get(url.searchParams.get('record') ?? '');
  const paging = readPaging(url);
  const page = listSessions(world, { parentId: findParentId(), record }, paging);
  return answerPage(url, page, (session) => sessionText(world, session, origin));
}

const recordValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

function readPaging({ searchParams }: URL): PageRequest {
  const given = searchParams.get('limit');
  const cursor = searchParams.get('cursor');
  const limit = Number(given ?? pageLimit.default);
  const { minimum, maximum } = pageLimit;
  if (!/^\d*$/.test(given ?? '') || limit < minimum || limit > maximum) {
    throw new Problem('invalid', {
      path: 'query limit',
      expected: `a whole number from ${minimum} to ${maximum}`,
      got: describeValue(given),
    });
  }
  return { limit, ...(cursor !== null && { cursor }) };
}

function answerPage<Record>(
  url: URL,
  { records, next }: Page<Record>,
  write: (record: Record) => string,
): PlainResponse {
  const text = ['['];
  for (const record of records) text.push(text.length > 1 ? ',' : '', write(record));
  text.push(']');
  if (next === undefined) return jsonTextResponse(200, text);
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}
