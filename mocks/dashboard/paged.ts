import { type Api, nextPage } from './api.ts';

/** Records that a list begins with, and that "more" adds. */
export const pageLength = 100;

/** Most that the service gives at once. */
const longestPage = 1000;

/** The beginning of a list. */
interface Beginning<Item> {
  readonly records: readonly Item[];
  /** Whether that is all. */
  readonly isWhole: boolean;
}

/** Loads the first `length` records of a list, in as few pages as the service allows. */
export async function loadPages<Item>(
  api: Api,
  path: string,
  length: number,
): Promise<Beginning<Item>> {
  const records: Item[] = [];
  let next: string | undefined = `${path}?limit=${Math.min(length, longestPage)}`;
  while (next !== undefined && records.length < length) {
    const { body, headers }: { body: Item[]; headers: Headers } = await api.call(`GET ${next}`);
    records.push(...body);
    next = nextPage(headers);
  }
  return { records, isWhole: next === undefined };
}
