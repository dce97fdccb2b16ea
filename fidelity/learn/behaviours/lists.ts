import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { nextQuery, nextToldBy } from '../../../conformance/target/next-page.ts';
import { get, recordedSessionsPath, streamPath } from '../../../conformance/target/operations.ts';
import type { ListOperation } from '../../../interface/errors.ts';
import {
  type Appearance,
  type Behaviours,
  type ListOrder,
  type PageSize,
  type RecordFilter,
  usualBehaviours,
} from '../../../interface/silent.ts';
import { textOf } from '../../json.ts';
import {
  type Asking,
  each,
  type Probes,
  type Question,
  Unsayable,
  unlessBlocked,
} from '../asking/asking.ts';
import { type Found, poll, roundTime } from '../asking/poll.ts';
import {
  goLive,
  isReady,
  knownLists,
  makeSession,
  newRecorded,
  noteDelay,
  severalSessions,
  showSession,
  spelling,
} from '../asking/sessions.ts';
import {
  findListed,
  findOnPages,
  firstPage,
  type Page,
  pagesOf,
  withQuery,
} from '../asking/streams.ts';

const lists = ['listStreams', 'listSessionsOfStream', 'listSessions'] as const;

/** The ids on each page of a list. */
async function readPages(asking: Asking, path: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for await (const { ids } of pagesOf(asking, path)) pages.push(ids);
  return pages;
}

/**
 * How many records a page has: those of one that surely has a next one. @throws Blocked where no list was
 * longer than a page, and the usual one may be as long
 */
function pageSize(name: ListOperation): Question<PageSize> {
  return async (asking) => {
    const list = await asking.ask(knownLists[name]);
    const { response, ids } = await firstPage(asking, list.path);
    const isCut = nextToldBy(response) !== 'not' || list.ids.some((id) => !ids.includes(id));
    if (isCut && ids.length > 0) return ids.length;
    const usual = usualBehaviours['list.page-size'][name];
    if (typeof usual === 'number' && ids.length > usual) return { atLeast: ids.length };
    throw new Blocked('a list that is longer than a page: raise --streams');
  };
}

/** In which order a list shows two of its records. @throws Blocked where it shows fewer */
function order(name: ListOperation): Question<ListOrder> {
  return async (asking) => {
    const list = await asking.ask(knownLists[name]);
    const shown = (await readPages(asking, list.path)).flat();
    const places = shown.map((id) => list.ids.indexOf(id)).filter((place) => place >= 0);
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined || first === last) {
      throw new Blocked('a list of two records that were made one after the other');
    }
    return first > last ? 'newest-first' : 'oldest-first';
  };
}

/** A page that surely has a next one, of a list that may be short. @throws Blocked where there is none */
const cutPage: Question<Page> = async (asking) => {
  for (const name of ['listSessionsOfStream', 'listStreams'] as const) {
    const list = await unlessBlocked(asking.ask(knownLists[name]));
    for (const path of list ? [withQuery(list.path, 'limit=1'), list.path] : []) {
      const page = await unlessBlocked(firstPage(asking, path));
      const isCut = list?.ids.some((id) => !page?.ids.includes(id));
      if (isCut && page !== undefined && page.ids.length > 0) return page;
    }
  }
  throw new Blocked('a list of more than one page: raise --streams');
};

const cursor: Question<'opaque' | 'offset'> = async (asking) => {
  const { path, response, ids } = await asking.ask(cutPage);
  const value = new URLSearchParams(nextQuery(response, '')).get('cursor');
  if (value === null) throw new Blocked('a next page with a cursor');
  if (Number(value) !== ids.length) return 'opaque';
  // An opaque one may be that number by chance.
  const all = (await readPages(asking, path)).flat();
  const afterTwo = await unlessBlocked(firstPage(asking, withQuery(path, 'cursor=2')));
  return afterTwo?.ids[0] === all[2] ? 'offset' : 'opaque';
};

/** Whether the last page of a list tells of a next one, where it is full. @throws Blocked where none is */
const fullLastPage: Question<'told' | 'not'> = async (asking) => {
  const { path, ids } = await asking.ask(knownLists.listSessionsOfStream);
  for (const one of [withQuery(path, `limit=${Math.ceil(ids.length / 2)}`), path]) {
    const lengths = (await readPages(asking, one)).map((page) => page.length);
    if (lengths.length > 1 && lengths.at(-1) === 0) return 'told';
    if (lengths.length > 1 && lengths.every((length) => length === lengths[0])) return 'not';
  }
  throw new Blocked('a list whose last page is full');
};

/** Whether the list of all streams shows sessions. */
const amongStreams: Question<Behaviours['list.sessions-among-streams']> = async (asking) => {
  const { streamId, recorded, unrecorded } = await asking.ask(severalSessions);
  const [session = ''] = recorded;
  // Whatever the key of its parent is called.
  const isOfStream = (record: JsonObject): boolean =>
    record['id'] !== streamId && Object.values(record).includes(streamId);
  const shown = await findListed(asking, session, isOfStream);
  if (shown !== undefined) {
    return [...recorded, ...unrecorded].includes(textOf(shown['id'])) ? 'sessions' : 'children';
  }
  if ((await findListed(asking, streamId)) !== undefined) return 'none';
  throw new Blocked('a page of GET /stream that would show a known session: none was found');
};

const recordQueries = {
  absent: '',
  0: '?record=0',
  true: '?record=true',
  other: '?record=maybe',
  empty: '?record=',
} as const;

/** Which sessions a list shows of a stream that has both kinds. */
function recordFilter(name: keyof Behaviours['list.record']): Question<RecordFilter> {
  return async (asking) => {
    const { streamId, recorded, unrecorded } = await asking.ask(severalSessions);
    if (unrecorded.length === 0) {
      throw new Blocked('a stream with a session that is not recorded: add --control-url');
    }
    const path = `${streamPath(streamId)}/sessions${recordQueries[name]}`;
    await firstPage(asking, path);
    const shown = (await readPages(asking, path)).flat();
    const hasOne = (ids: readonly string[]): boolean => shown.some((id) => ids.includes(id));
    if (hasOne(recorded)) return hasOne(unrecorded) ? 'all' : 'recorded';
    if (hasOne(unrecorded)) return 'unrecorded';
    throw new Unsayable('expected sessions of the stream, got none of them');
  };
}

/** Probes of lists, which only read. */
export const listProbes: Probes<'list'> = {
  'list.page-size': each(lists, pageSize),
  'list.order': each(lists, order),
  'list.next': async ({ ask }) => nextToldBy((await ask(cutPage)).response),
  'list.cursor': cursor,
  'list.full-last-page': fullLastPage,
  'list.sessions-among-streams': amongStreams,
  'list.record': each(['absent', '0', 'true', 'other', 'empty'], recordFilter),
};

type ListName = keyof Behaviours['sessions.appear'];

/** What the lists showed of a recorded session, from its beginning until it was ready. */
interface Timeline {
  readonly appear: Readonly<Partial<Record<ListName, Appearance>>>;
  /** Milliseconds, rounded. */
  readonly listed: number;
  readonly ready: Bounds;
  /** The session as it was before it was ready, if that was seen. */
  readonly unready: JsonObject | undefined;
}

/** Between which times after its end a recording surely became ready, in milliseconds. */
interface Bounds {
  readonly above: number;
  readonly below: number;
}

/** Looks for a session; `undefined` as long as it is not found. */
type Look = () => Promise<JsonObject | undefined>;

/** A session that was seen. */
interface Seen extends Found<JsonObject> {
  /** When the look ended that found it. */
  readonly by: number;
}

/** Milliseconds for which a live session is waited for in a list that may never show it. */
const shortWait = 2_000;

/**
 * Watches lists until all of them show a session, or the time is over. A list that does not show one long
 * after it was ready will not.
 */
async function watch(
  asking: Asking,
  looks: Readonly<Partial<Record<ListName | 'ready', Look>>>,
  most: number,
): Promise<ReadonlyMap<string, Seen>> {
  const start = asking.now();
  const found = new Map<string, Seen>();
  let after = 0;
  const look = async (): Promise<true | undefined> => {
    const until = asking.now() - start;
    for (const [name, lookOnce] of Object.entries<Look | undefined>(looks)) {
      const value = found.has(name) ? undefined : await lookOnce?.();
      if (value !== undefined) found.set(name, { value, after, until, by: asking.now() - start });
    }
    after = until;
    const ready = found.get('ready')?.until ?? Number.POSITIVE_INFINITY;
    const isLate = until > Math.max(ready + shortWait, 3 * ready);
    return found.size === Object.keys(looks).length || isLate || undefined;
  };
  await poll(asking, most, look, start);
  return found;
}

function lookFor(asking: Asking, path: string, streamId: string): Look {
  // Whatever the key of its parent is called.
  return () => findOnPages(asking, path, (session) => Object.values(session).includes(streamId));
}

function lookForReady(look: Look): Look {
  return async () => {
    const session = await look();
    return session && isReady(session) ? session : undefined;
  };
}

/** Ends a session, and watches until all looks have found it, or the time is over. */
async function watchEnd(
  asking: Asking,
  stop: () => Promise<void>,
  looks: Readonly<Partial<Record<ListName | 'ready', Look>>>,
): Promise<{ ended: ReadonlyMap<string, Seen>; ready: Bounds | undefined }> {
  const sent = asking.now();
  await stop();
  const start = asking.now();
  const ended = await watch(asking, looks, asking.patience);
  const seen = ended.get('ready');
  noteDelay(asking, seen === undefined ? 0 : asking.now() - start);
  return { ended, ready: seen && { above: seen.after, below: seen.by + start - sent } };
}

const timeline: Question<Timeline> = async (asking) => {
  const stream = await newRecorded(asking);
  // Whatever the key of its parent is called.
  const isOfStream = (session: JsonObject): boolean => Object.values(session).includes(stream.id);
  const lookAt =
    (path: string): Look =>
    () =>
      findOnPages(asking, path, isOfStream);
  const listSessionsOfStream = lookAt(recordedSessionsPath(stream.id));
  const ofAll = await pathOfAll(asking, stream.id);
  const looks = { listSessionsOfStream, ...(ofAll && { listSessions: lookAt(ofAll) }) };
  const stop = await goLive(asking, stream);
  const live = await watch(asking, looks, Math.min(asking.patience, shortWait));
  const { ended, ready } = await watchEnd(asking, stop, {
    ...looks,
    ready: lookForReady(listSessionsOfStream),
  });
  const appear: Partial<Record<ListName, Appearance>> = {};
  for (const name of Object.keys(looks) as ListName[]) {
    const shown = ended.get(name);
    if (live.has(name)) appear[name] = 'at-start';
    else if (shown !== undefined) {
      appear[name] = isReady(shown.value) && shown.until > shown.after ? 'when-ready' : 'at-end';
    }
  }
  const shown = live.get('listSessionsOfStream') ?? ended.get('listSessionsOfStream');
  if (shown === undefined || ready === undefined) {
    throw new Blocked('a ready recording: none became ready in time; raise --patience');
  }
  return {
    appear,
    listed: appear.listSessionsOfStream === 'when-ready' ? 0 : roundTime(shown.after),
    ready,
    unready: [...live.values(), ...ended.values()].find(({ value }) => !isReady(value))?.value,
  };
};

/** Sessions by which a time is measured, where those before it leave open as which one it is written. */
const mostMeasured = 6;

const readyTime: Question<number> = async (asking) => {
  let { above, below } = (await asking.ask(timeline)).ready;
  for (let count = 1; count < mostMeasured && roundTime(above) !== roundTime(below - 1); count++) {
    const stream = await newRecorded(asking);
    const look = lookFor(asking, recordedSessionsPath(stream.id), stream.id);
    const stop = await goLive(asking, stream);
    const { ready } = await watchEnd(asking, stop, { ready: lookForReady(look) });
    above = Math.max(above, ready?.above ?? 0);
    below = Math.min(below, ready?.below ?? below);
  }
  return roundTime(above);
};

/** The list of all sessions, where there is one; of one stream, where that can be asked for. */
async function pathOfAll({ send }: Asking, streamId: string): Promise<string | undefined> {
  for (const path of [`/session?parentId=${streamId}`, '/session']) {
    if (isSuccess(await send(get(path)))) return path;
  }
  return undefined;
}

/** A recorded session that is not ready. @throws Blocked if none was seen in time */
const unreadySession: Question<JsonObject> = async (asking) => {
  const seen = await unlessBlocked(asking.ask(timeline));
  if (seen?.unready !== undefined) return seen.unready;
  const stream = await newRecorded(asking);
  const { id } = await makeSession(asking, stream);
  const shown = await showSession(asking, stream.id, id);
  if (shown !== undefined && !isReady(shown)) return shown;
  throw new Blocked('a recorded session before it is ready: none was seen in time');
};

const unrecordedSession: Question<JsonObject> = async (asking) => {
  const { streamId, unrecorded } = await asking.ask(severalSessions);
  const [id] = unrecorded;
  const shown = id === undefined ? undefined : await showSession(asking, streamId, id);
  if (shown !== undefined) return shown;
  throw new Blocked('a session that is not recorded: no list shows one');
};

function statusOf(session: JsonObject): string | null {
  return (session['recordingStatus'] ?? null) as string | null;
}

function appearanceIn(name: ListName): Question<Appearance> {
  return async ({ ask }) => {
    const appearance = (await ask(timeline)).appear[name];
    if (appearance !== undefined) return appearance;
    throw new Blocked('a session in a list: it did not show one in time');
  };
}

/** Probes of how sessions and their recordings come to be seen. */
export const timelineProbes: Probes<'sessions' | 'time'> = {
  'sessions.appear': each(['listSessionsOfStream', 'listSessions'], appearanceIn),
  'sessions.status-before-ready': async ({ ask }) => statusOf(await ask(unreadySession)),
  async 'sessions.addresses-before-ready'({ ask }) {
    const { recordingUrl = 'recordingUrl' } = await ask(spelling);
    return recordingUrl in (await ask(unreadySession)) ? 'present' : 'absent';
  },
  'sessions.status-unrecorded': async ({ ask }) => statusOf(await ask(unrecordedSession)),
  'time.ready': readyTime,
  'time.listed': async ({ ask }) => (await ask(timeline)).listed,
};
