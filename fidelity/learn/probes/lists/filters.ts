import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import {
  get,
  recordedSessionsPath,
  streamPath,
} from '../../../../conformance/target/operations.ts';
import type { RecordFilter } from '../../../../interface/silent-lists.ts';
import type { Refusal } from '../../../../interface/silent-row.ts';
import { textOf } from '../../../json.ts';
import { nextQuery, nextToldBy } from '../../../next-page.ts';
import { severalSessions, spareSession } from '../../questions/known-sessions.ts';
import { filteredSessionsPath, listSessions } from '../../questions/list-sessions.ts';
import { Inexpressible, probesFor, type Question, readRefusal } from '../../questions/probe.ts';
import { firstPage, type KnownList, streamList } from './known.ts';

/** What becomes of a parameter of a list that should change nothing. */
export function ignoredOrRefused(
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

/** Which sessions a list shows of a stream that has both kinds. */
export function recordFilter(query: string): Question<RecordFilter> {
  return async (context) => {
    const { streamId, ...known } = await context.ask(severalSessions);
    if (known.unrecorded.length === 0) {
      throw new Blocked('a stream with a session that is not recorded: add --control-url');
    }
    const path = `${streamPath(streamId)}/sessions`;
    const response = await context.send(get(path + query));
    if (!isSuccess(response)) return readRefusal(response);
    const listed = readObjects(response);
    // One session of more does not tell: the next one is of the other kind.
    if (listed.length !== 1 || nextToldBy(response) === 'not') return readFilter(listed, known);
    const next = nextQuery(response, query);
    if (next === undefined) throw new Blocked('a next page whose address has a query');
    return readFilter([...listed, ...(await listSessions(context, path + next))], known);
  };
}

function readFilter(
  listed: readonly JsonObject[],
  { recorded, unrecorded }: Record<'recorded' | 'unrecorded', readonly string[]>,
): 'recorded' | 'unrecorded' | 'all' {
  const shows = (ids: readonly string[]): boolean =>
    listed.some(({ id }) => ids.includes(textOf(id)));
  if (listed.length === 1 && (shows(recorded) ? recorded : unrecorded).length > 1) {
    throw new Blocked('a list with every session of a kind: it showed one of several');
  }
  if (shows(recorded)) return shows(unrecorded) ? 'all' : 'recorded';
  if (shows(unrecorded)) return 'unrecorded';
  throw new Inexpressible('expected sessions of the stream, got none of them');
}

/** Whether the list of all sessions can be restricted to those of one stream. */
export const parentFilter: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const { streamId } = await context.ask(spareSession);
  await context.ask(severalSessions);
  const all = await listSessions(context, '/session');
  const other = all.find(({ parentId }) => parentId !== streamId);
  const wanted = all[0]?.['parentId'] === streamId ? other?.['parentId'] : streamId;
  if (typeof wanted !== 'string') throw new Blocked('sessions of two streams in GET /session');
  const response = await context.send(get(filteredSessionsPath(wanted)));
  if (!isSuccess(response)) return readRefusal(response);
  const listed = readObjects(response);
  if (listed.length === 0) throw new Inexpressible('expected the sessions of a stream, got none');
  return listed.every(({ parentId }) => parentId === wanted) ? 'works' : 'ignored';
};

/** Whether the list of all sessions can be restricted to recorded ones. */
export const recordOfAll: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const { streamId, recorded, unrecorded } = await context.ask(severalSessions);
  const ofStream = filteredSessionsPath(streamId);
  const path = isSuccess(await context.send(get(ofStream))) ? `${ofStream}&` : '/session?';
  const before = await listSessions(context, path);
  const isUnrecorded = ({ id, record }: JsonObject): boolean =>
    unrecorded.includes(textOf(id)) || (record === false && !recorded.includes(textOf(id)));
  if (!before.some(isUnrecorded)) {
    throw new Blocked('a session in GET /session that is not recorded');
  }
  const response = await context.send(get(`${path}record=1`));
  if (!isSuccess(response)) return readRefusal(response);
  return readObjects(response).some(isUnrecorded) ? 'ignored' : 'works';
};

type ChosenList = 'listStreams' | 'listSessionsOfStream' | 'listSessions';

/** Each list, with records that are not live. */
const chosenLists: Readonly<Record<ChosenList, Question<KnownList>>> = {
  listStreams: streamList,
  async listSessionsOfStream({ ask }) {
    const { streamId, recorded } = await ask(severalSessions);
    return { path: `${recordedSessionsPath(streamId)}&`, ids: recorded };
  },
  listSessions: async ({ ask }) => ({
    path: '/session?',
    ids: (await ask(severalSessions)).recorded,
  }),
};

type Use = 'works' | 'ignored' | Refusal;

/** Probes of a query in each list: where it works, the list is another than with the other query. */
export function choosingProbes<Prefix extends string>(
  prefix: Prefix,
  query: string,
  other: string,
): Record<`${Prefix}.${ChosenList}`, Question<Use>> {
  return probesFor(prefix, Object.keys(chosenLists) as ChosenList[], (name) => async (context) => {
    const list = await context.ask(chosenLists[name]);
    const response = await context.send(get(`${list.path}${query}`));
    if (!isSuccess(response)) return readRefusal(response);
    const { listed } = await firstPage(context, list, other);
    if (listed.length === 0 || list.ids.length < 2) throw new Blocked('a list of two records');
    return idsOf(listed) === idsOf(readObjects(response)) ? 'ignored' : 'works';
  });
}

function idsOf(listed: readonly JsonObject[]): string {
  return listed.map(({ id }) => textOf(id)).join();
}
