import { testerHeader } from '../../http/tester.ts';
import { readRefusal } from './refusal.ts';

/** What came back from the service. */
interface Reply<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** One world of the service, as seen with its key. */
export interface Api {
  readonly apiKey: string;
  /**
   * Sends a request such as `POST /_mock/reset`; paths are from the origin.
   * @throws Refusal when the service refuses; AbortError once the api is closed.
   */
  call<Body>(request: string, body?: unknown): Promise<Reply<Body>>;
  /** The same, for a reader of the raw response; a blob is sent as it is. */
  open(request: string, body?: unknown): Promise<Response>;
  /** Gives up what is under way. */
  close(): void;
}

/** Speaks for one key. */
export function createApi(apiKey: string): Api {
  const closing = new AbortController();
  const open: Api['open'] = async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        [testerHeader]: '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      signal: closing.signal,
    }).catch((error: unknown) => {
      closing.signal.throwIfAborted();
      throw new Error(`The server does not respond: ${(error as Error).message}.`);
    });
    if (!response.ok) throw await readRefusal(response);
    return response;
  };
  return {
    apiKey,
    open,
    async call(request, body) {
      const response = await open(request, body);
      const text = await response.text();
      return { body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
    },
    close: () => closing.abort(),
  };
}

/** Whether something was given up on purpose. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The beginning of a list. */
export interface Beginning<Item> {
  readonly records: readonly Item[];
  /** Whether that is all. */
  readonly isWhole: boolean;
}

/** Records that a list begins with, and that "more" adds. */
export const pageLength = 100;

/** Most that the service gives at once. */
const longestPage = 1000;

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

/** Path and query of the next page, which a list's Link header holds. */
function nextPage(headers: Headers): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
