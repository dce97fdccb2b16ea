import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { nextQuery, nextToldBy } from '../../../conformance/target/next-page.ts';
import { get, recordedSessionsPath, streamPath } from '../../../conformance/target/operations.ts';
import {
  type Behaviours,
  type ListOrder,
  type PageSize,
  type RecordFilter,
  usualBehaviours,
} from '../../../interface/silent.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { recordsIn } from '../asking/records.ts';
import { severalSessions } from '../asking/sessions.ts';
import { findListed, severalStreams } from '../asking/streams.ts';
import { withQuery } from '../cells/lists.ts';
import { each } from './each.ts';

type Rows = Pick<
  Behaviours,
  | 'list.page-size'
  | 'list.order'
  | 'list.next'
  | 'list.cursor'
  | 'list.full-last-page'
  | 'list.sessions-among-streams'
  | 'list.record'
>;
type ListName = keyof Behaviours['list.page-size'];

/** A list in which some records are known, oldest first. */
interface KnownList {
  readonly path: string;
  readonly ids: readonly string[];
}

/** Each list, with records that the run made. */
const lists: Readonly<Record<ListName, Question<KnownList>>> = {
  async listStreams({ ask, readOnly, creations }) {
    if (!readOnly) await ask(severalStreams);
    return { path: '/stream', ids: [...creations.streams] };
  },
  async listSessionsOfStream({ ask }) {
    const { streamId, recorded } = await ask(severalSessions);
    return { path: recordedSessionsPath(streamId), ids: recorded };
  },
  async listSessions({ ask }) {
    return { path: '/session', ids: (await ask(severalSessions)).recorded };
  },
};

/** A page of a list. */
interface Page {
  readonly response: TargetResponse;
  readonly ids: readonly string[];
}

/** @throws Blocked where it is refused */
async function readPage({ send }: Asking, path: string): Promise<Page> {
  const response = await send(get(path));
  const shown = recordsIn(response);
  if (shown?.isList) return { response, ids: shown.records.map(({ id }) => textOf(id)) };
  throw new Blocked(`a list: it got status ${response.status}`);
}

const mostPages = 60;

/** The pages of a list, as far as the service tells of a next one. */
async function readPages(asking: Asking, path: string): Promise<readonly Page[]> {
  const [before = ''] = path.split('?');
  const pages: Page[] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < mostPages; ) {
    const page = await readPage(asking, next);
    pages.push(page);
    const query = nextQuery(page.response, next.slice(before.length));
    next = query && before + query;
  }
  return pages;
}

/**
 * How many records a page has: those of one that surely has a next one. @throws Blocked where no list was
 * longer than a page, and the usual one may be as long
 */
function pageSize(name: ListName): Question<PageSize> {
  return async (asking) => {
    const list = await asking.ask(lists[name]);
    const { response, ids } = await readPage(asking, list.path);
    const isCut = nextToldBy(response) !== 'not' || list.ids.some((id) => !ids.includes(id));
    if (isCut && ids.length > 0) return ids.length;
    const usual = usualBehaviours['list.page-size'][name];
    if (typeof usual === 'number' && ids.length > usual) return { atLeast: ids.length };
    throw new Blocked('a list that is longer than a page: raise --streams');
  };
}

/** In which order a list shows two of its records. @throws Blocked where it shows fewer */
function order(name: ListName): Question<ListOrder> {
  return async (asking) => {
    const list = await asking.ask(lists[name]);
    const shown = (await readPages(asking, list.path)).flatMap(({ ids }) => ids);
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
    const list = await asking.ask(lists[name]).catch(ignoreBlocked);
    if (list === undefined) continue;
    for (const path of [withQuery(list.path, 'limit=1'), list.path]) {
      const page = await readPage(asking, path).catch(ignoreBlocked);
      if (page && page.ids.length > 0 && list.ids.some((id) => !page.ids.includes(id))) return page;
    }
  }
  throw new Blocked('a list of more than one page: raise --streams');
};

function ignoreBlocked(error: unknown): undefined {
  if (!(error instanceof Blocked)) throw error;
}

const cursor: Question<'opaque' | 'offset'> = async ({ ask }) => {
  const { response, ids } = await ask(cutPage);
  const value = new URLSearchParams(nextQuery(response, '')).get('cursor');
  if (value === null) throw new Blocked('a next page with a cursor');
  return Number(value) === ids.length ? 'offset' : 'opaque';
};

/** Whether the last page of a list tells of a next one, where it is full. @throws Blocked where none is */
const fullLastPage: Question<'told' | 'not'> = async (asking) => {
  const { path, ids } = await asking.ask(lists.listSessionsOfStream);
  for (const one of [withQuery(path, `limit=${Math.ceil(ids.length / 2)}`), path]) {
    const pages = await readPages(asking, one).catch(ignoreBlocked);
    const lengths = pages?.map((page) => page.ids.length) ?? [];
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
  const shown = await findListed(asking, '/stream', session, isOfStream);
  if (shown !== undefined) {
    return [...recorded, ...unrecorded].includes(textOf(shown['id'])) ? 'sessions' : 'children';
  }
  if ((await findListed(asking, '/stream', streamId)) !== undefined) return 'none';
  throw new Blocked('a page of GET /stream that would show a known session: none was found');
};

/** Which sessions a list shows of a stream that has both kinds. */
function recordFilter(query: string): Question<RecordFilter> {
  return async (asking) => {
    const { streamId, recorded, unrecorded } = await asking.ask(severalSessions);
    if (unrecorded.length === 0) {
      throw new Blocked('a stream with a session that is not recorded: add --control-url');
    }
    const path = `${streamPath(streamId)}/sessions${query}`;
    const shown = (await readPages(asking, path)).flatMap(({ ids }) => ids);
    const [some, others] = [recorded, unrecorded].map((ids) =>
      shown.some((id) => ids.includes(id)),
    );
    if (some) return others ? 'all' : 'recorded';
    if (others) return 'unrecorded';
    throw new Unsayable('expected sessions of the stream, got none of them');
  };
}

/** Probes of lists, which only read. */
export const listProbes: { readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]> } = {
  'list.page-size': each<Rows['list.page-size']>({
    listStreams: pageSize('listStreams'),
    listSessionsOfStream: pageSize('listSessionsOfStream'),
    listSessions: pageSize('listSessions'),
  }),
  'list.order': each<Rows['list.order']>({
    listStreams: order('listStreams'),
    listSessionsOfStream: order('listSessionsOfStream'),
    listSessions: order('listSessions'),
  }),
  'list.next': async ({ ask }) => nextToldBy((await ask(cutPage)).response),
  'list.cursor': cursor,
  'list.full-last-page': fullLastPage,
  'list.sessions-among-streams': amongStreams,
  'list.record': each<Rows['list.record']>({
    absent: recordFilter(''),
    0: recordFilter('?record=0'),
    true: recordFilter('?record=true'),
    other: recordFilter('?record=maybe'),
    empty: recordFilter('?record='),
  }),
};
