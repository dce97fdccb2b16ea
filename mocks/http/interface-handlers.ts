import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { isCarriedOut } from '../../interface/dialect/cells.ts';
import type { ListOperation } from '../../interface/dialect/errors.ts';
import type { BodyOperation } from '../../interface/dialect/fields.ts';
import { isObject } from '../../interface/json.ts';
import {
  type InterfaceOperationName,
  interfaceOperationNames,
} from '../../interface/operation-names.ts';
import { tableOf } from '../../interface/tables.ts';
import { jsonResponse, jsonTextResponse, type PlainResponse } from '../messages/response.ts';
import { acceptOrRefuse, refuseIdsBy } from '../service/accept-or-refuse.ts';
import { listSessions, listStreams, type SessionList } from '../service/list-records.ts';
import { findPlayable, playbackInfo } from '../service/playback.ts';
import { type ReadFields, readFields } from '../service/read-fields.ts';
import {
  deleteSession,
  liveSessionToEnd,
  terminateSession,
  updateSession,
} from '../service/sessions.ts';
import {
  acceptDeletion,
  acceptSwitch,
  acceptUpdate,
  createStream,
  deleteStreams,
  switchRecording,
  updateStream,
} from '../service/streams.ts';
import { showAmongStreams, showPlayback, showStream } from '../service/views.ts';
import {
  findChangeable,
  findParent,
  findSession,
  findStream,
  notAParent,
  type RefuseId,
} from '../state/find.ts';
import { childId } from '../state/ids.ts';
import type { Page } from '../state/pages.ts';
import { acceptNoParameters, acceptParentId, readListQuery } from './list-query.ts';
import { defineOperation, type InterfaceOperation, nothing, type Site } from './stages.ts';

/** Reads the fields of a body. */
function fieldsOf(name: BodyOperation) {
  return ({ dialect, json }: Pick<Site, 'dialect' | 'json'>): ReadFields =>
    readFields(dialect, name, json);
}

/** Reads the query of a list. */
function queryOf(list: ListOperation) {
  return ({ dialect, url }: Pick<Site, 'dialect' | 'url'>) => readListQuery(dialect, url, list);
}

/** Refuses ids as the service does. */
function refusing({ plan, otherWorldWith }: Site): RefuseId {
  return refuseIdsBy(plan.cells, (id) => otherWorldWith(id) !== undefined);
}

/** The keys and values of a body as they were sent. */
function sentBody({ json }: Site): Record<string, unknown> {
  return isObject(json) ? json : {};
}

/** What is known of a body where a state is checked: its fields if they were read before, or else its JSON. */
function knownBody(site: Site, read: ReadFields | undefined): Record<string, unknown> {
  return read === undefined ? sentBody(site) : read.fields;
}

/** Finds the stream of a request that changes it. `consequence` says what cannot be done to a session. */
function changeableStream(consequence: string) {
  return (site: Site): StreamRecord =>
    findChangeable(site.world.state.records, site.id, consequence, refusing(site));
}

/** What a request changes, and who is served where it is. */
interface Changeable {
  readonly requester: Site;
  /** A session only if the dialect lets clients change it. */
  readonly record: StreamRecord | SessionRecord;
}

/** Finds what a request changes: a stream or, if a dialect carries out that too, a session or what another key has. */
function changeable(consequence: string) {
  const findOwnStream = changeableStream(consequence);
  return (site: Site): Changeable => {
    const { world, id, plan } = site;
    const { 'id:session': ofSession, 'id:other-key': ofOtherKey } = plan.cells;
    const session = isCarriedOut(ofSession) ? world.state.records.session(id) : undefined;
    if (session !== undefined) return { requester: site, record: session };
    const isOwn = !isCarriedOut(ofOtherKey) || world.state.records.stream(id) !== undefined;
    const otherWorld = isOwn ? undefined : site.otherWorldWith(id);
    const record = otherWorld?.state.records.stream(id);
    if (otherWorld === undefined || record === undefined) {
      return { requester: site, record: findOwnStream(site) };
    }
    return { requester: { ...site, world: otherWorld }, record };
  };
}

/**
 * What each operation of the interface does: what it reads of a request, what it finds, whether the state allows it, and
 * how it responds. Each knows its name only from its key, so that none can read the fields of another.
 */
const handlersByName: {
  readonly [Name in InterfaceOperationName]: (name: Name) => InterfaceOperation;
} = {
  createStream: (name) =>
    defineOperation({
      query: nothing,
      fields: fieldsOf(name),
      id: nothing,
      state: nothing,
      respond(site, { fields }) {
        const { dialect, url, texts } = site;
        const stream = createStream(site, fields);
        const location = `${url.origin}${url.pathname.replace(/\/$/, '')}/${stream.id}`;
        const headers = dialect.behaviours['create.location'] === 'absent' ? {} : { location };
        const isPartial = dialect.behaviours['keys.missing'].createStream.length > 0;
        const sent = sentBody(site);
        const sentFields = Object.keys(sent).filter((field) => sent[field] !== null);
        const text = isPartial
          ? JSON.stringify(showStream(site, stream, name, sentFields))
          : texts.ofStream(site, stream);
        return jsonTextResponse(201, [text], headers);
      },
    }),
  listStreams: (name) =>
    defineOperation({
      query: queryOf(name),
      fields: nothing,
      id: nothing,
      state: nothing,
      respond(site, { query: { page, streamsOnly } }) {
        const streams = listStreams(site, page, streamsOnly);
        return pageResponse(site, name, streams, (record) =>
          'parentId' in record
            ? JSON.stringify(showAmongStreams(site, record))
            : site.texts.ofStream(site, record, name),
        );
      },
    }),
  retrieveStream: () =>
    defineOperation({
      query: nothing,
      fields: nothing,
      id: findShown,
      state: nothing,
      respond: (site, { id: shown }) => recordResponse(site, textOfShown(site, shown)),
    }),
  updateStream: (name) =>
    defineOperation({
      query: nothing,
      fields: fieldsOf(name),
      id: changeable('it cannot change'),
      state(site, { requester, record }, fields) {
        if (!('parentId' in record)) acceptUpdate(requester, record, knownBody(site, fields));
      },
      respond(_, { id: { requester, record }, fields }) {
        const updated =
          'parentId' in record
            ? updateSession(requester, record, fields)
            : updateStream(requester, record, fields);
        return changeResponse(requester, updated);
      },
    }),
  deleteStream: () =>
    defineOperation({
      query: nothing,
      fields: nothing,
      id: changeable('it cannot be deleted'),
      state({ plan }, { requester, record }) {
        if (!('parentId' in record)) acceptDeletion(requester.world, plan.cells, record);
      },
      respond(_, { id: { requester, record } }) {
        // The deletion takes away the sessions that the response may count.
        const response = changeResponse(requester, record);
        if ('parentId' in record) deleteSession(requester, record);
        else deleteStreams(requester, [record]);
        return response;
      },
    }),
  setRecord: (name) =>
    defineOperation({
      query: nothing,
      fields: fieldsOf(name),
      id: changeable('its record value cannot change'),
      state(site, { requester, record: changed }, fields) {
        const { record } = knownBody(site, fields);
        // If a dialect reads no value from the body, nothing is switched.
        const isSwitched = fields === undefined || record !== undefined;
        if (!isSwitched || 'parentId' in changed) return;
        acceptSwitch(requester.world, site.plan.cells, changed, record);
      },
      respond(_, { id: { requester, record: changed }, fields }) {
        const { record } = fields.fields;
        if (typeof record === 'boolean') {
          if ('parentId' in changed) updateSession(requester, changed, fields);
          else switchRecording(requester, [{ stream: changed, record }], fields.shown);
        }
        return changeResponse(requester, changed);
      },
    }),
  listSessionsOfStream: (name) =>
    defineOperation({
      query: queryOf(name),
      fields: nothing,
      id: (site) => findParent(site.world.state.records, site.id, refusing(site)),
      state: nothing,
      respond: (site, { query, id: { id: parentId } }) =>
        sessionsResponse(site, name, { ...query, parentId }),
    }),
  listSessions: (name) =>
    defineOperation({
      query: queryOf(name),
      fields: nothing,
      id: nothing,
      state: nothing,
      respond(site, { query }) {
        const parentId = acceptParentId(site, query.parentId);
        return sessionsResponse(site, name, { ...query, parentId });
      },
    }),
  retrieveSession: (name) =>
    defineOperation({
      query: nothing,
      fields: nothing,
      id: (site) => findSession(site.world.state.records, site.id, refusing(site)),
      state: nothing,
      respond: (site, { id: session }) =>
        recordResponse(site, site.texts.ofSession(site, session, name)),
    }),
  terminateStream: () =>
    defineOperation({
      query: nothing,
      fields: nothing,
      id: changeableStream('it cannot be ended'),
      state: ({ world, plan }, stream) => liveSessionToEnd(world, plan.cells, stream),
      respond(site, { id: stream, state: live }) {
        if (live !== undefined) terminateSession(site, live);
        return changeResponse(site, stream);
      },
    }),
  retrievePlayback: () =>
    defineOperation({
      query: nothing,
      fields: nothing,
      id: (site) => findPlayable(site.world, site.plan.cells, site.id, refusing(site)),
      state: nothing,
      respond(site, { id: playable }) {
        const info = playbackInfo(site, playable);
        const shown = site.dialect.behaviours['playback.shows'];
        if (shown === 'sources') return jsonResponse(200, info);
        const [source] = info.meta.source;
        return jsonResponse(200, showPlayback(site, playable, shown, source?.url ?? ''));
      },
    }),
};

function handlerOf<Name extends InterfaceOperationName>(name: Name): InterfaceOperation {
  const operation: InterfaceOperation = handlersByName[name](name);
  if (operation.stages.includes('query')) return operation;
  return {
    ...operation,
    carryOut(site) {
      acceptNoParameters(site);
      return operation.carryOut(site);
    },
  };
}

/** The operations of the interface. */
export const interfaceHandlers = tableOf(interfaceOperationNames, handlerOf);

/** What `retrieveStream` shows: a stream, a session, or a session as a stream of its own. */
type Shown =
  | { readonly as: 'stream'; readonly record: StreamRecord }
  | { readonly as: 'session' | 'child'; readonly record: SessionRecord };

function findShown(site: Site): Shown {
  const { world, dialect, id, plan } = site;
  const { records } = world.state;
  const isChild = dialect.behaviours['list.sessions-among-streams'] === 'children';
  const child = isChild ? records.session(childId(id)) : undefined;
  if (child !== undefined) return { as: 'child', record: child };
  const record = findStream(records, id, refusing(site));
  if (!('parentId' in record)) return { as: 'stream', record };
  acceptOrRefuse(plan.cells, 'id:session', () => notAParent(record));
  return { as: 'session', record };
}

function textOfShown(site: Site, { as, record }: Shown): string {
  if (as === 'stream') return site.texts.ofStream(site, record);
  if (as === 'child') return JSON.stringify(showAmongStreams(site, record));
  return site.texts.ofSession(site, record, 'sessionAmongStreams');
}

function sessionsResponse(
  site: Site,
  list: SessionList,
  request: Parameters<typeof listSessions>[2],
): PlainResponse {
  const sessions = listSessions(site, list, request);
  return pageResponse(site, list, sessions, (session) => site.texts.ofSession(site, session, list));
}

/** The response with a page of a list. If there is a next page, a header says where. */
function pageResponse<Item>(
  { url, dialect, plan }: Site,
  list: ListOperation,
  { items, next }: Page<Item>,
  write: (item: Item) => string,
): PlainResponse {
  const pieces = ['['];
  for (const item of items) pieces.push(pieces.length > 1 ? ',' : '', write(item));
  pieces.push(']');
  const text = plan.wrap(pieces);
  const place = dialect.behaviours['list.next'][list];
  if (next === undefined || place === 'not') return jsonTextResponse(200, text);
  if (place === 'x-next-cursor') return jsonTextResponse(200, text, { 'x-next-cursor': next });
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}

/** The response with one record, which is in an object if the dialect wraps it. */
function recordResponse({ plan }: Site, text: string): PlainResponse {
  return jsonTextResponse(200, plan.wrap([text]));
}

/** The response to a change. It shows the stream, something else or nothing. */
function changeResponse(site: Site, record: StreamRecord | SessionRecord): PlainResponse {
  const { change } = site.plan;
  if (change !== 'stream') return change;
  const text =
    'parentId' in record
      ? site.texts.ofSession(site, record, 'sessionAmongStreams')
      : site.texts.ofStream(site, record);
  return jsonTextResponse(200, [text]);
}
