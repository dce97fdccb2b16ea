import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, recordedSessionsPath, streamPath } from '../../../conformance/target/operations.ts';
import { ladders } from '../../../interface/limit-ladders.ts';
import type {
  ListBehaviours,
  ListOrder,
  PageSize,
  RecordFilter,
} from '../../../interface/silent-lists.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { nextQuery, nextToldBy } from '../../compare/equal/next-page.ts';
import { upperLimit } from './limits.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
  showsJson,
} from './probe.ts';
import { listSessions, severalSessions, spareSession } from './sessions.ts';
import { betweenStreams, newStream, recordedList, severalStreams } from './streams.ts';
import { timelineProbes } from './timeline.ts';

/** A list of several records, oldest first, and where it is. */
interface KnownList {
  readonly path: string;
  readonly ids: readonly string[];
}

const streamList: Question<KnownList> = async (context) => ({
  path: '/stream?',
  ids: context.readOnly ? await shownStreams(context) : await context.ask(severalStreams),
});

/** The streams on the first page, where none may be made. */
async function shownStreams(context: ProbeContext): Promise<string[]> {
  const { listed } = await firstPage(context, { path: '/stream', ids: [] });
  return listed.map(({ id }) => String(id));
}

/** The recorded sessions of a stream, which are all on the first page or on pages after it. */
const sessionList: Question<KnownList> = async (context) => {
  const { streamId, recorded } = await context.ask(severalSessions);
  const list = { path: recordedSessionsPath(streamId), ids: recorded };
  const { response, listed } = await firstPage(context, list);
  if (listed.length >= recorded.length || nextToldBy(response) !== 'not') return list;
  throw new Inexpressible('expected every recorded session, or a next page, got neither');
};

/** The list of streams, or that of sessions where the service has no other. */
const anyList: Question<KnownList> = async (context) => {
  const streams = await context.send(get('/stream'));
  return context.ask(showsJson(streams) ? streamList : sessionList);
};

/** The first page of a list. @throws Blocked where it is refused */
async function firstPage(
  context: ProbeContext,
  { path }: KnownList,
  query = '',
): Promise<{ response: TargetResponse; listed: JsonObject[] }> {
  const response = await context.send(get(`${path}${query}`));
  if (!isSuccess(response)) throw new Blocked(`a list: it got status ${response.status}`);
  return { response, listed: readObjects(response) };
}

/**
 * How many records a page has, if the list has more. Longer pages than the list that was made for it
 * are not told apart: what else is there differs from one day to the next.
 */
function pageSize(ofList: Question<KnownList>): Question<PageSize> {
  return async (context) => {
    const list = await context.ask(ofList);
    const { response, listed } = await firstPage(context, list);
    const shown = new Set(listed.map(({ id }) => id));
    const isCut = list.ids.some((id) => !shown.has(id)) || nextToldBy(response) !== 'not';
    const isKnown = isCut && listed.length > 0 && listed.length <= list.ids.length;
    return isKnown ? listed.length : { atLeast: list.ids.length };
  };
}

/** A page that surely has a next one. @throws Blocked if no page was short enough */
const next: Question<'link' | 'x-next-cursor' | 'not'> = async (context) => {
  const list = await context.ask(anyList);
  const isShort = (listed: readonly JsonObject[]): boolean => {
    const shown = new Set(listed.map(({ id }) => id));
    return list.ids.some((id) => !shown.has(id));
  };
  for (const query of ['&limit=1', '']) {
    const response = await context.send(get(`${list.path}${query}`));
    if (isSuccess(response) && isShort(readObjects(response))) return nextToldBy(response);
  }
  throw new Blocked('a list of more than one page: raise --streams');
};

/**
 * Whether the last page of a list tells of a next one, where it is as long as the first.
 * @throws Blocked where it is shorter, or the only one
 */
const fullLastPage: Question<'told' | 'not'> = async (context) => {
  const { path: list, ids } = await context.ask(sessionList);
  const lengths: number[] = [];
  let path: string | undefined = `${list}&limit=${Math.ceil(ids.length / 2)}`;
  while (path !== undefined && lengths.length <= ids.length) {
    const { response, listed } = await firstPage(context, { path, ids });
    lengths.push(listed.length);
    const [before = '', query = '']: string[] = path.split('?');
    const next = nextQuery(response, query);
    path = next && before + next;
  }
  const [first, ...others] = lengths;
  const last = others.at(-1);
  if (last === 0) return 'told';
  if (last === first) return 'not';
  throw new Blocked('a list whose last page is full: limit does not make one');
};

/** The order of a list whose page may be too short for all records of ours. */
function readOrder(listed: readonly JsonObject[], ids: readonly string[]): ListOrder {
  const places = listed.map(({ id }) => ids.indexOf(String(id))).filter((place) => place >= 0);
  const [first = -1, last = -1] = [places[0], places.at(-1)];
  const isNewest = first > last || (first === last && first === ids.length - 1);
  return isNewest ? 'newest-first' : 'oldest-first';
}

/** Two streams are made for it: on the first page they are the first, or there may be none of them. */
const streamOrder: Question<ListOrder> = async (context) => {
  const ids = [(await newStream(context)).id];
  await context.pause(betweenStreams);
  ids.push((await newStream(context)).id);
  const list = { path: '/stream?', ids };
  const { listed } = await firstPage(context, list);
  if (listed.length > 1) return readOrder(listed, ids);
  throw new Blocked('a list of two streams: it showed fewer');
};

const sessionOrder: Question<ListOrder> = async (context) => {
  const list = await context.ask(sessionList);
  const { listed } = await firstPage(context, list);
  if (listed.length > 0 && list.ids.length > 1) return readOrder(listed, list.ids);
  throw new Blocked('a list of two sessions: it showed fewer');
};

const limit: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const list = await context.ask(anyList);
  const { listed } = await firstPage(context, list);
  const other = listed.length === 1 ? 2 : 1;
  const response = await context.send(get(`${list.path}&limit=${other}`));
  if (!isSuccess(response)) return readRefusal(response);
  if (listed.length === 0 || list.ids.length < 2) throw new Blocked('a list of two records');
  return readObjects(response).length === other ? 'works' : 'ignored';
};

const tryLimit = async (context: ProbeContext, value: number): Promise<'accepted' | Refusal> => {
  const { path } = await context.ask(anyList);
  return readWord(await context.send(get(`${path}&limit=${value}`)), 'accepted');
};

/** What becomes of a parameter of a list that should change nothing. */
function ignoredOrRefused(
  query: string,
  ofList: Question<KnownList>,
): Question<'ignored' | Refusal> {
  return async (context) => {
    const list = await context.ask(ofList);
    const response = await context.send(get(`${list.path}&${query}`));
    if (!isSuccess(response)) return readRefusal(response);
    const listed = readObjects(response).length;
    if (listed === (await firstPage(context, list)).listed.length) return 'ignored';
    throw new Inexpressible(`expected the list as it is without ${query}, got ${listed} records`);
  };
}

const impossibleCursor: Question<'ignored' | 'empty' | Refusal> = async (context) => {
  const { path } = await context.ask(anyList);
  const response = await context.send(get(`${path}&cursor=never-given`));
  if (!isSuccess(response)) return readRefusal(response);
  return readObjects(response).length === 0 ? 'empty' : 'ignored';
};

const sessionsAmongStreams: Question<'streams' | 'both'> = async (context) => {
  await context.ask(spareSession);
  const { listed } = await firstPage(context, { path: '/stream?', ids: [] });
  return listed.some(({ parentId }) => typeof parentId === 'string') ? 'both' : 'streams';
};

/** Which sessions a list shows of a stream that has both kinds. */
function recordFilter(query: string): Question<RecordFilter> {
  return async (context) => {
    const { streamId, ...known } = await context.ask(severalSessions);
    if (known.unrecorded.length === 0) {
      throw new Blocked('a stream with a session that is not recorded: add --control-url');
    }
    const response = await context.send(get(`${streamPath(streamId)}/sessions${query}`));
    return isSuccess(response) ? readFilter(readObjects(response), known) : readRefusal(response);
  };
}

function readFilter(
  listed: readonly JsonObject[],
  { recorded, unrecorded }: Record<'recorded' | 'unrecorded', readonly string[]>,
): 'recorded' | 'unrecorded' | 'all' {
  if (listed.length === 1) throw new Blocked('a page of two sessions: it showed one');
  const shows = (ids: readonly string[]): boolean =>
    listed.some(({ id }) => ids.includes(String(id)));
  if (shows(recorded)) return shows(unrecorded) ? 'all' : 'recorded';
  if (shows(unrecorded)) return 'unrecorded';
  throw new Inexpressible('expected sessions of the stream, got none of them');
}

/** Whether a parameter restricts the list of all sessions to those that `holds` is true of. */
const parentFilter: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const { streamId } = await context.ask(spareSession);
  await context.ask(severalSessions);
  const all = await listSessions(context, '/session');
  const other = all.find(({ parentId }) => parentId !== streamId);
  const wanted = all[0]?.['parentId'] === streamId ? other?.['parentId'] : streamId;
  if (typeof wanted !== 'string') throw new Blocked('sessions of two streams in GET /session');
  const response = await context.send(get(`/session?parentId=${encodeURIComponent(wanted)}`));
  if (!isSuccess(response)) return readRefusal(response);
  const listed = readObjects(response);
  if (listed.length === 0) throw new Inexpressible('expected the sessions of a stream, got none');
  return listed.every(({ parentId }) => parentId === wanted) ? 'works' : 'ignored';
};

const recordOfAll: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const { streamId, recorded, unrecorded } = await context.ask(severalSessions);
  const ofStream = `/session?parentId=${encodeURIComponent(streamId)}`;
  const path = isSuccess(await context.send(get(ofStream))) ? `${ofStream}&` : '/session?';
  const before = await listSessions(context, path);
  const isUnrecorded = ({ id, record }: JsonObject): boolean =>
    unrecorded.includes(String(id)) || (record === false && !recorded.includes(String(id)));
  if (!before.some(isUnrecorded)) {
    throw new Blocked('a session in GET /session that is not recorded');
  }
  const response = await context.send(get(`${path}record=1`));
  if (!isSuccess(response)) return readRefusal(response);
  return readObjects(response).some(isUnrecorded) ? 'ignored' : 'works';
};

/** Each list, with records that are not live. */
const chosenLists = {
  listStreams: async ({ ask }) => (await ask(streamList)).path,
  listSessionsOfStream: async ({ ask }) =>
    `${recordedSessionsPath((await ask(severalSessions)).streamId)}&`,
  listSessions: async ({ ask }) => {
    await ask(severalSessions);
    return '/session?';
  },
} as const satisfies Record<string, Question<string>>;

type ChosenList = keyof typeof chosenLists;
type Use = 'works' | 'ignored' | Refusal;

/** Probes of a query in each list: where it works, the list is another than with the other query. */
function choosingProbes<Prefix extends string>(
  prefix: Prefix,
  query: string,
  other: string,
): Record<`${Prefix}.${ChosenList}`, Question<Use>> {
  return probesFor(prefix, Object.keys(chosenLists) as ChosenList[], (name) => async (context) => {
    const path = await context.ask(chosenLists[name]);
    const response = await context.send(get(`${path}${query}`));
    if (!isSuccess(response)) return readRefusal(response);
    const { listed } = await firstPage(context, { path, ids: [] }, other);
    if (listed.length < 2) throw new Blocked('a list of two records: it showed fewer');
    return idsOf(listed) === idsOf(readObjects(response)) ? 'ignored' : 'works';
  });
}

function idsOf(listed: readonly JsonObject[]): string {
  return listed.map(({ id }) => String(id)).join();
}

const nobodysFilter = `filters=${encodeURIComponent('[{"id":"id","value":"nobody"}]')}`;

export const nobodysQuery = 'nobodyKnows=1';

/** Probes of lists. */
export const listProbes: ProbesFor<ListBehaviours> = {
  'list.page-size': pageSize(streamList),
  async 'sessions.page-size'(context) {
    const size = await pageSize(sessionList)(context);
    const { response } = await firstPage(context, await context.ask(sessionList));
    if (typeof size !== 'number' || nextToldBy(response) === 'link') return size;
    throw new Inexpressible(
      `expected a Link header to the next page (LIST-17) after ${size} sessions, got none`,
    );
  },
  'list.limit': limit,
  'list.largest-limit': (context) =>
    upperLimit(
      { ladder: ladders.limit, usual: 1, expected: context.expected('list.largest-limit') },
      (value) => tryLimit(context, value),
    ),
  'list.impossible-limit': ignoredOrRefused('limit=0', anyList),
  'list.impossible-cursor': impossibleCursor,
  'list.next': next,
  'list.full-last-page': fullLastPage,
  'list.order': streamOrder,
  'sessions.order': sessionOrder,
  'list.unknown-query.listStreams': ignoredOrRefused(nobodysQuery, streamList),
  'list.unknown-query.listSessionsOfStream': async (context) =>
    readWord(
      await context.send(get(`${await context.ask(recordedList)}&${nobodysQuery}`)),
      'ignored',
    ),
  'list.unknown-query.listSessions': async ({ send }) =>
    readWord(await send(get(`/session?${nobodysQuery}`)), 'ignored'),
  ...choosingProbes('list.active', 'active=true', ''),
  ...choosingProbes('list.filters', nobodysFilter, ''),
  ...choosingProbes('list.order-by', 'order=createdAt-false', 'order=createdAt-true'),
  'list.sessions-among-streams': sessionsAmongStreams,
  'sessions.parent-filter': parentFilter,
  'sessions.record-absent': recordFilter(''),
  'sessions.record-0': recordFilter('?record=0'),
  'sessions.record-true': recordFilter('?record=true'),
  'sessions.record-odd': recordFilter('?record=maybe'),
  'sessions.record-of-all': recordOfAll,
  ...timelineProbes,
};
