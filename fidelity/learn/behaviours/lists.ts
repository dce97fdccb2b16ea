import { Blocked } from '../../../conformance/target/failure.ts';
import { nextQuery, nextToldBy } from '../../../conformance/target/next-page.ts';
import { streamPath } from '../../../conformance/target/operations.ts';
import type { Behaviours, NamedBehaviour } from '../../../interface/dialect/behaviours.ts';
import type { ListOperation } from '../../../interface/dialect/errors.ts';
import { textOf } from '../../json.ts';
import {
  type Asking,
  type Probes,
  type Question,
  Unsayable,
  unlessBlocked,
} from '../asking/asking.ts';
import { type KnownList, knownLists, severalSessions } from '../asking/sessions.ts';
import { findListed, firstPage, type ListPage, listPages, withQuery } from '../asking/streams.ts';
import { listedAmongStreams } from './keys.ts';

/** The ids on each page of a list. */
async function readPages(asking: Asking, path: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for await (const { ids } of listPages(asking, path)) pages.push(ids);
  return pages;
}

/** How many records there are on a page that has a next one. @throws Blocked where no list is longer than a page */
function pageSize(name: ListOperation): Question<NamedBehaviour<'list.page-size'>> {
  return async (asking) => {
    const list = await asking.ask(knownLists[name]);
    const { response, ids } = await firstPage(asking, list.path);
    const isCut = nextToldBy(response) !== 'not' || list.ids.some((id) => !ids.includes(id));
    // Sessions of earlier runs remain, so a page that only they fill would not have been full in the first run.
    const isFilled = name === 'listSessions' && !asking.readOnly;
    const own = isFilled ? await countOwn(asking, list) : Infinity;
    if (isCut && ids.length > 0 && own > ids.length) return ids.length;
    throw new Blocked('a list that is longer than a page: raise --streams');
  };
}

/** How many sessions of a list this run made. */
async function countOwn(asking: Asking, { path, ids }: KnownList): Promise<number> {
  const { streams, live } = asking.creations;
  const known = new Set<unknown>([...streams, ...live]);
  let own = 0;
  for await (const { records } of listPages(asking, path)) {
    // Whatever the key of the parent of a session is called.
    own += records.filter((record) => Object.values(record).some((one) => known.has(one))).length;
  }
  return Math.max(own, ids.length);
}

/** In which order a list shows its records. @throws Blocked if it shows fewer than two of this run */
function order(name: ListOperation): Question<NamedBehaviour<'list.order'>> {
  return async (asking) => {
    const list = await asking.ask(knownLists[name]);
    const shown = (await readPages(asking, list.path)).flat();
    const places = shown.map((id) => list.ids.indexOf(id)).filter((place) => place >= 0);
    const wasLive = list.ids.map((id) => asking.creations.live.has(id));
    if (isByLastSeen(places, wasLive)) return 'last-seen-first';
    const first = places[0];
    const last = places.at(-1);
    if (first === undefined || last === undefined || first === last) {
      throw new Blocked('a list of two records that were made one after the other');
    }
    return first > last ? 'newest-first' : 'oldest-first';
  };
}

/** Whether streams that were live come before all others, though some of these are newer. */
function isByLastSeen(places: readonly number[], wasLive: readonly boolean[]): boolean {
  const live = places.filter((place) => wasLive[place]);
  const [newest = 0, ...others] = places.filter((place) => !wasLive[place]);
  const oldest = others.at(-1) ?? newest;
  const liveComeFirst = live.every((place, index) => place === places[index]);
  return liveComeFirst && newest > oldest && live.some((place) => place < newest);
}

/** A page of a list that certainly has a next one. @throws Blocked if there is none */
function cutPage(name: ListOperation): Question<ListPage & { readonly path: string }> {
  return async (asking) => {
    const list = await asking.ask(knownLists[name]);
    for (const path of [withQuery(list.path, 'limit=1'), list.path]) {
      const page = await unlessBlocked(firstPage(asking, path));
      const isCut = list.ids.some((id) => !page?.ids.includes(id));
      if (isCut && page !== undefined && page.ids.length > 0) return { ...page, path };
    }
    throw new Blocked('a list of more than one page: raise --streams');
  };
}

/** A cut page of each list. */
const cutPages = {
  listStreams: cutPage('listStreams'),
  listSessionsOfStream: cutPage('listSessionsOfStream'),
  listSessions: cutPage('listSessions'),
} as const;

const cursor: Question<'opaque' | 'offset'> = async (asking) => {
  for (const cut of Object.values(cutPages)) {
    const page = await unlessBlocked(asking.ask(cut));
    const value = page && new URLSearchParams(nextQuery(page.response, '')).get('cursor');
    if (page && value) return kindOfCursor(asking, page, value);
  }
  throw new Blocked('a next page with a cursor');
};

async function kindOfCursor(
  asking: Asking,
  { path, ids }: ListPage & { readonly path: string },
  value: string,
): Promise<'opaque' | 'offset'> {
  if (Number(value) !== ids.length) return 'opaque';
  // An opaque cursor may be this number by coincidence.
  const all = (await readPages(asking, path)).flat();
  const afterTwo = await unlessBlocked(firstPage(asking, withQuery(path, 'cursor=2')));
  return afterTwo?.ids[0] === all[2] ? 'offset' : 'opaque';
}

/** Whether a full last page of a list points to a next one. @throws Blocked if no last page is full */
const fullLastPage: Question<'yes' | 'no'> = async (asking) => {
  const { path, ids } = await asking.ask(knownLists.listSessionsOfStream);
  for (const one of [withQuery(path, `limit=${Math.ceil(ids.length / 2)}`), path]) {
    const lengths = (await readPages(asking, one)).map((page) => page.length);
    if (lengths.length > 1 && lengths.at(-1) === 0) return 'yes';
    if (lengths.length > 1 && lengths.every((length) => length === lengths[0])) return 'no';
  }
  throw new Blocked('a list whose last page is full');
};

/** Whether the list of all streams shows sessions, or children with ids of their own. */
const amongStreams: Question<Behaviours['list.sessions-among-streams']> = async (asking) => {
  const { streamId, recorded, unrecorded } = await asking.ask(severalSessions);
  const shown = await asking.ask(listedAmongStreams);
  if (shown !== undefined) {
    return [...recorded, ...unrecorded].includes(textOf(shown['id'])) ? 'sessions' : 'children';
  }
  if ((await findListed(asking, streamId)) !== undefined) return 'none';
  throw new Blocked('a page of GET /stream that would show a known session: none was found');
};

const recordQueries = {
  absent: '',
  0: '?record=0',
  false: '?record=false',
  true: '?record=true',
  other: '?record=maybe',
  empty: '?record=',
} as const;

/** Which sessions of a stream a list shows if the stream has recorded and unrecorded ones. */
function recordFilter(
  name: keyof Behaviours['list.record'],
): Question<NamedBehaviour<'list.record'>> {
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
  'list.page-size': pageSize,
  'list.order': order,
  'list.next':
    (name) =>
    async ({ ask }) =>
      nextToldBy((await ask(cutPages[name])).response),
  'list.cursor': cursor,
  'list.full-last-page': fullLastPage,
  'list.sessions-among-streams': amongStreams,
  'list.record': recordFilter,
};
