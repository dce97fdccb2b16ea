import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import { get } from '../../../../conformance/target/operations.ts';
import type { ListOrder, PageSize } from '../../../../interface/silent-lists.ts';
import type { Refusal } from '../../../../interface/silent-row.ts';
import { textOf } from '../../../json.ts';
import { nextToldBy } from '../../../next-page.ts';
import {
  Inexpressible,
  type ProbeContext,
  type Question,
  readRefusal,
  readWord,
} from '../../questions/probe.ts';
import { betweenStreams, newStream } from '../../questions/streams.ts';
import { anyList, firstPage, isShort, type KnownList, sessionList } from './known.ts';

/**
 * How many records a page has, if the list has more. Longer pages than the list that was made for it
 * are not told apart: what else is there differs from one day to the next.
 */
export function pageSize(ofList: Question<KnownList>): Question<PageSize> {
  return async (context) => {
    const list = await context.ask(ofList);
    const { response, listed } = await firstPage(context, list);
    const isCut = isShort(list, listed) || nextToldBy(response) !== 'not';
    const isKnown = isCut && listed.length > 0 && listed.length <= list.ids.length;
    return isKnown ? listed.length : { atLeast: list.ids.length };
  };
}

/** How a page that surely has a next one tells of it. @throws Blocked if no page was short enough */
export const next: Question<'link' | 'x-next-cursor' | 'not'> = async (context) => {
  const told =
    (await nextOf(context, await context.ask(anyList))) ??
    (await nextOf(context, await context.ask(sessionsIfListed)));
  if (told !== undefined) return told;
  throw new Blocked('a list of more than one page: raise --streams');
};

async function nextOf(
  { send }: ProbeContext,
  list: KnownList | undefined,
): Promise<'link' | 'x-next-cursor' | 'not' | undefined> {
  if (list === undefined) return undefined;
  for (const query of ['&limit=1', '']) {
    const response = await send(get(`${list.path}${query}`));
    if (isSuccess(response) && isShort(list, readObjects(response))) return nextToldBy(response);
  }
  return undefined;
}

const sessionsIfListed: Question<KnownList | undefined> = async ({ ask }) =>
  ask(sessionList).catch((error: unknown) => {
    if (error instanceof Blocked || error instanceof Inexpressible) return undefined;
    throw error;
  });

/** The order of a list whose page may be too short for all records of ours. */
function readOrder(listed: readonly JsonObject[], ids: readonly string[]): ListOrder {
  const places = listed.map(({ id }) => ids.indexOf(textOf(id))).filter((place) => place >= 0);
  const [first = -1, last = -1] = [places[0], places.at(-1)];
  const isNewest = first > last || (first === last && first === ids.length - 1);
  return isNewest ? 'newest-first' : 'oldest-first';
}

/** Two streams are made for it: on the first page they are the first, or there may be none of them. */
export const streamOrder: Question<ListOrder> = async (context) => {
  const ids = [(await newStream(context)).id];
  await context.pause(betweenStreams);
  ids.push((await newStream(context)).id);
  const list = { path: '/stream?', ids };
  const { listed } = await firstPage(context, list);
  if (listed.length > 1) return readOrder(listed, ids);
  throw new Blocked('a list of two streams: it showed fewer');
};

export const sessionOrder: Question<ListOrder> = async (context) => {
  const list = await context.ask(sessionList);
  const { listed } = await firstPage(context, list);
  if (listed.length > 0 && list.ids.length > 1) return readOrder(listed, list.ids);
  throw new Blocked('a list of two sessions: it showed fewer');
};

export const limit: Question<'works' | 'ignored' | Refusal> = async (context) => {
  const list = await context.ask(anyList);
  const { listed } = await firstPage(context, list);
  const other = listed.length === 1 ? 2 : 1;
  const response = await context.send(get(`${list.path}&limit=${other}`));
  if (!isSuccess(response)) return readRefusal(response);
  if (listed.length === 0 || list.ids.length < 2) throw new Blocked('a list of two records');
  return readObjects(response).length === other ? 'works' : 'ignored';
};

export const tryLimit = async (
  context: ProbeContext,
  value: number,
): Promise<'accepted' | Refusal> => {
  const { path } = await context.ask(anyList);
  return readWord(await context.send(get(`${path}&limit=${value}`)), 'accepted');
};

export const impossibleCursor: Question<'ignored' | 'empty' | Refusal> = async (context) => {
  const { path } = await context.ask(anyList);
  const response = await context.send(get(`${path}&cursor=never-given`));
  if (!isSuccess(response)) return readRefusal(response);
  return readObjects(response).length === 0 ? 'empty' : 'ignored';
};
