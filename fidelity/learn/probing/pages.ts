import type { TargetResponse } from '../../../target/requests/exchange.ts';
import type { JsonObject } from '../../../target/requests/read-response.ts';
import { pagesOf } from '../../../target/streams/next-page.ts';
import { get } from '../../../target/streams/stream-requests.ts';
import { textOf } from '../../json-shapes.ts';
import { itemsIn } from '../../response-items.ts';
import { need, type ProbeContext } from './prober.ts';

/** A page of a list, or a single item. */
export type ListPage = NonNullable<ReturnType<typeof pageIn>>;

/** The items in a response as a page, with their ids as text; `undefined` for anything else. */
export function pageIn(response: TargetResponse) {
  const content = itemsIn(response);
  return content && { ...content, response, ids: content.items.map(({ id }) => textOf(id)) };
}

/** The pages of a list, as long as the service points to a next one. A single item counts as a page. */
export async function* listPages({ send }: ProbeContext, path: string): AsyncGenerator<ListPage> {
  for await (const response of pagesOf(send, path)) {
    const page = pageIn(response);
    if (page === undefined) return;
    yield page;
  }
}

/** The first page of a list. @throws Blocked if it is refused */
export async function firstPage({ send }: ProbeContext, path: string): Promise<ListPage> {
  const response = await send(get(path));
  const page = pageIn(response);
  const got = `GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`;
  return need(page?.isList && page, `a list: ${got}`);
}

/** An item in a response or, if that is a list, on one of its pages. */
export async function findOnPages(
  context: ProbeContext,
  path: string,
  isWanted: (item: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  for await (const { items } of listPages(context, path)) {
    const item = items.find(isWanted);
    if (item !== undefined) return item;
  }
  return undefined;
}

/** An item with an id, as the first of some paths shows it; `undefined` if none does. */
export async function findById(context: ProbeContext, paths: readonly string[], id: string) {
  for (const path of paths) {
    const item = await findOnPages(context, path, (listed) => textOf(listed['id']) === id);
    if (item !== undefined) return item;
  }
  return undefined;
}

/** An address with one more parameter. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
