import {
  type Behaviours,
  definitionOf,
  type NamedBehaviour,
} from '../../../interface/dialect/behaviours.ts';
import { isKept } from '../../../interface/dialect/cells.ts';
import type { ListOperation } from '../../../interface/dialect/errors.ts';
import { isSameJson } from '../../../interface/json.ts';
import { Blocked, unlessPrevented } from '../../../target/requests/failure.ts';
import { nextPageHeader, nextQuery } from '../../../target/streams/next-page.ts';
import { streamPath } from '../../../target/streams/stream-requests.ts';
import { textOf } from '../../json-shapes.ts';
import { type KnownList, knownLists } from '../probing/known-lists.ts';
import { findById, firstPage, type ListPage, listPages, withQuery } from '../probing/pages.ts';
import { severalSessions } from '../probing/probed-sessions.ts';
import { need, type Probe, type ProbeContext, type Probes } from '../probing/prober.ts';
import { listedAmongStreams } from './probe-keys.ts';

/** The ids on each page of a list. */
async function idsByPage(context: ProbeContext, path: string) {
  const pages: (readonly string[])[] = [];
  for await (const { ids } of listPages(context, path)) pages.push(ids);
  return pages;
}

/**
 * How many items there are on a page that has a next one; `all` if a list that ignores or refuses `limit` showed all that
 * is known. @throws Blocked if the list is not longer than a page
 */
function pageSize(name: ListOperation): Probe<NamedBehaviour<'list.page-size'>> {
  return async (context) => {
    const list = await context.ask(knownLists[name]);
    const { response, ids } = await firstPage(context, list.path);
    const isCut = nextPageHeader(response) !== 'not' || list.ids.some((id) => !ids.includes(id));
    const limit = context.cellOf(name, 'query:limit:given');
    if (!isCut && list.ids.length > 1 && limit !== undefined && !isKept(limit)) return 'all';
    // Sessions of earlier runs remain, so a page that only they fill would not have been full in the first run.
    const isFilled = name === 'listSessions' && !context.readOnly;
    const ownCount = isFilled ? await countOwn(context, list) : Infinity;
    const isLong = isCut && ids.length > 0 && ownCount > ids.length;
    need(isLong, 'a list that is longer than a page: raise --streams if it has pages');
    return ids.length;
  };
}

/** How many sessions of a list this run made. */
async function countOwn(context: ProbeContext, { path, ids }: KnownList): Promise<number> {
  const { streams, live } = context.creations;
  const ownIds = new Set<unknown>([...streams, ...live]);
  let count = 0;
  for await (const { items } of listPages(context, path)) {
    // Whatever the key of the parent of a session is called.
    count += items.filter((item) => Object.values(item).some((id) => ownIds.has(id))).length;
  }
  return Math.max(count, ids.length);
}

/** In which order a list shows its items. @throws Blocked if it shows fewer than two of this run */
function order(name: ListOperation): Probe<NamedBehaviour<'list.order'>> {
  return async (context) => {
    const list = await context.ask(knownLists[name]);
    const listed = (await idsByPage(context, list.path)).flat();
    const places = listed.map((id) => list.ids.indexOf(id)).filter((place) => place >= 0);
    const wasLive = list.ids.map((id) => context.creations.live.has(id));
    if (isByLastSeen(places, wasLive)) return 'last-seen-first';
    need(places.length >= 2, 'a list of two items that were made one after the other');
    return Number(places[0]) > Number(places.at(-1)) ? 'newest-first' : 'oldest-first';
  };
}

/** Whether streams that were live come before all others, although some of those are newer. They may fill the page alone. */
function isByLastSeen(places: readonly number[], wasLive: readonly boolean[]): boolean {
  const live = places.filter((place) => wasLive[place]);
  const [newest, ...olderPlaces] = places.filter((place) => !wasLive[place]);
  const isDescending = newest === undefined || newest > (olderPlaces.at(-1) ?? newest);
  const liveComeFirst = live.every((place, index) => place === places[index]);
  return liveComeFirst && isDescending && live.some((place) => place < wasLive.lastIndexOf(false));
}

/** The first page of a list, which certainly has a next one, and its address. @throws Blocked if there is none */
async function cutPage(
  context: ProbeContext,
  name: ListOperation,
): Promise<{ readonly page: ListPage; readonly path: string }> {
  const list = await context.ask(knownLists[name]);
  for (const path of [withQuery(list.path, 'limit=1'), list.path]) {
    const page = await unlessPrevented(firstPage(context, path));
    const isCut = list.ids.some((id) => !page?.ids.includes(id));
    if (isCut && page !== undefined && page.ids.length > 0) return { page, path };
  }
  throw new Blocked('needs a list of more than one page: raise --streams if it has pages');
}

const cursor: Probe<Behaviours['list.cursor']> = async (context) => {
  for (const name of Object.keys(knownLists) as ListOperation[]) {
    const cut = await unlessPrevented(cutPage(context, name));
    const [form, ...furtherForms] = cut === undefined ? [] : await cursorForms(context, cut.path);
    if (form !== undefined)
      return furtherForms.every((other) => isSameJson(other, form)) ? form : 'opaque';
  }
  throw new Blocked('needs a next page with a cursor');
};

/** The forms of the first cursors of a list: two, as an opaque one may end in the right number by chance. */
async function cursorForms(context: ProbeContext, path: string) {
  const forms: Behaviours['list.cursor'][] = [];
  let items = 0;
  for await (const page of listPages(context, path)) {
    items += page.ids.length;
    const value = new URLSearchParams(nextQuery(page.response, '')).get('cursor');
    if (value) forms.push(cursorForm(value, items));
    if (!value || forms.length === 2) break;
  }
  return forms;
}

/** The form of the cursor of a page, after some items. */
function cursorForm(cursor: string, items: number): Behaviours['list.cursor'] {
  const [, prefix = '', number] = /^(\D{0,20})(\d+)$/.exec(cursor) ?? [];
  if (Number(number) !== items) return 'opaque';
  if (prefix === '') return 'offset';
  const { values } = definitionOf('list.cursor');
  return values.safeParse({ prefix }).success ? { prefix } : 'opaque';
}

/** Whether a full last page of a list points to a next one. @throws Blocked if no last page is full */
const fullLastPage: Probe<'yes' | 'no'> = async (context) => {
  const { path, ids } = await context.ask(knownLists.listSessionsOfStream);
  const pages = await idsByPage(context, withQuery(path, `limit=${Math.ceil(ids.length / 2)}`));
  const lengths = pages.map((page) => page.length);
  if (lengths.length > 1 && lengths.at(-1) === 0) return 'yes';
  if (lengths.length > 1 && lengths.every((length) => length === lengths[0])) return 'no';
  throw new Blocked('needs a list whose last page is full');
};

/** Whether the list of all streams shows sessions, or children with ids of their own. */
const amongStreams: Probe<Behaviours['list.sessions-among-streams']> = async (context) => {
  const { streamId, recorded, unrecorded } = await context.ask(severalSessions);
  const listed = await context.ask(listedAmongStreams);
  if (listed !== undefined) {
    return [...recorded, ...unrecorded].includes(textOf(listed['id'])) ? 'sessions' : 'children';
  }
  const stream = await findById(context, ['/stream'], streamId);
  need(stream, 'a page of GET /stream that would show a known session: none was found');
  return 'none';
};

/** Values of the parameter by their names in a dialect, where the two differ. */
const recordTexts: Readonly<Record<string, string>> = { other: 'maybe', empty: '' };

/** Which sessions of a stream a list shows if the stream has recorded and unrecorded ones. */
function recordProbe(name: keyof Behaviours['list.record']): Probe<NamedBehaviour<'list.record'>> {
  return async (context) => {
    const { streamId, recorded, unrecorded } = await context.ask(severalSessions);
    need(unrecorded.length > 0, 'a stream with a session that is not recorded: add --control-url');
    const filter = context.cellOf('listSessionsOfStream', 'query:record:given');
    need(filter === undefined || isKept(filter), 'a list that applies record');
    const query = name === 'absent' ? '' : `?record=${recordTexts[name] ?? name}`;
    const path = `${streamPath(streamId)}/sessions${query}`;
    const listed = (await idsByPage(context, path)).flat();
    const listsAny = (ids: readonly string[]): boolean => listed.some((id) => ids.includes(id));
    if (listsAny(recorded)) return listsAny(unrecorded) ? 'all' : 'recorded';
    need(listsAny(unrecorded), 'a list that shows sessions of the stream');
    return 'unrecorded';
  };
}

/** Probes of lists, which only read. */
export const listProbes = {
  'list.page-size': pageSize,
  'list.order': order,
  'list.next': (name) => async (context) =>
    nextPageHeader((await cutPage(context, name)).page.response),
  'list.cursor': cursor,
  'list.full-last-page': fullLastPage,
  'list.sessions-among-streams': amongStreams,
  'list.record': recordProbe,
} satisfies Partial<Probes>;
