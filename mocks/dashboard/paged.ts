import { onPress } from './actions.ts';
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

/**
 * Has a button lengthen a list. The focus goes on to the first of the new rows: the button may be
 * gone.
 */
export function prepareMore(
  button: HTMLButtonElement,
  list: HTMLElement,
  lengthen: () => Promise<void>,
): void {
  onPress(button, async () => {
    const last = list.lastElementChild;
    await lengthen();
    (last?.nextElementSibling ?? last)?.querySelector('button')?.focus();
    return `${list.childElementCount} are shown.`;
  });
}
