import { isSuccess, readObjects } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import { get, recordedSessionsPath, setRecord } from '../../../../conformance/target/operations.ts';
import { textOf } from '../../../json.ts';
import { nextQuery } from '../../../next-page.ts';
import { listSessions } from '../../questions/list-sessions.ts';
import { makeRecorded } from '../../questions/make-session.ts';
import { poll } from '../../questions/poll.ts';
import type { ProbeContext, Question } from '../../questions/probe.ts';
import { newStream } from '../../questions/streams.ts';
import { sessionList, streamList } from './known.ts';
import { pageSize } from './pages.ts';

/** A list whose last page should be full, and how long a full page is. */
interface FullList {
  readonly path: string;
  readonly size: number;
}

/** Ways to such a list, the cheapest first. @throws Blocked where there is none */
const ways: readonly Question<FullList>[] = [
  async (context) => {
    const { path, ids } = await context.ask(sessionList);
    const size = Math.ceil(ids.length / 2);
    return { path: `${path}&limit=${size}`, size };
  },
  async (context) => ({
    path: (await context.ask(sessionList)).path,
    size: await shortPage(context, sessionList),
  }),
  filledStreams,
  filledSessions,
];

/** Whether the last page of a list tells of a next one, where it is full. */
export const fullLastPage: Question<'told' | 'not'> = async (context) => {
  for (const way of ways) {
    const lengths = await way(context).then(
      ({ path, size }) => pageLengths(context, path, size),
      nothingIfBlocked,
    );
    if (lengths?.at(-1) === 0) return 'told';
    if (lengths?.every((length) => length === lengths[0])) return 'not';
  }
  throw new Blocked('a list whose last page is full: none could be made');
};

function nothingIfBlocked(error: unknown): undefined {
  if (!(error instanceof Blocked)) throw error;
}

const mostPages = 60;

/** How many records each page of a list has; `undefined` where the first is not full, or there are too many. */
async function pageLengths(
  { send }: ProbeContext,
  start: string,
  size: number,
): Promise<number[] | undefined> {
  const [before = ''] = start.split('?');
  const lengths: number[] = [];
  for (let path: string | undefined = start; path !== undefined; ) {
    const response = await send(get(path));
    if (!isSuccess(response) || lengths.length === mostPages) return undefined;
    lengths.push(readObjects(response).length);
    const following = nextQuery(response, path.slice(before.length));
    path = following && before + following;
  }
  return lengths[0] === size ? lengths : undefined;
}

/** @throws Blocked where pages are longer than the list */
async function shortPage(context: ProbeContext, list: typeof streamList): Promise<number> {
  const size = await pageSize(list)(context);
  if (typeof size === 'number') return size;
  throw new Blocked('a page that is shorter than its list');
}

/** The list of streams, with as many more as its last page lacks. */
async function filledStreams(context: ProbeContext): Promise<FullList> {
  const size = await shortPage(context, streamList);
  const last = (await pageLengths(context, '/stream', size))?.at(-1) ?? 0;
  for (let count = last; last > 0 && count < size; count++) await newStream(context);
  return { path: '/stream', size };
}

/** The sessions of a new stream, as many as a page has. */
async function filledSessions(context: ProbeContext): Promise<FullList> {
  const size = await shortPage(context, sessionList);
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, true, 0);
  const made: string[] = [];
  while (made.length < size) {
    made.push(textOf((await makeRecorded(context, stream, true))['id']));
  }
  const path = recordedSessionsPath(stream.id);
  await poll(context, context.patience, async () => {
    const listed = await listSessions(context, path);
    return listed.length >= size || undefined;
  });
  return { path, size };
}
