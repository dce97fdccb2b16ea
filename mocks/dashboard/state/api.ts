import { testerHeader } from '../../http/tester.ts';

/** One world of the service, as seen with its key. */
export interface Api {
  readonly apiKey: string;
  /**
   * Sends a request such as `POST /_mock/reset` and reads the JSON of the response. Paths are from the origin.
   * @throws Refusal when the service refuses; AbortError once the api is closed.
   */
  call<Body = unknown>(request: string, body?: unknown): Promise<Body>;
  /** Sends a request and returns the raw response; a blob is sent as it is. */
  open(request: string, body?: unknown): Promise<Response>;
  /** Aborts all open requests. */
  close(): void;
}

/** Connects to the world of a key. */
export function createApi(apiKey: string): Api {
  const closing = new AbortController();
  const open: Api['open'] = async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, [testerHeader]: '1' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const sent = body instanceof Blob ? body : JSON.stringify(body);
    const init = { method, headers, body: sent ?? null, signal: closing.signal };
    const response = await fetch(path, init).catch((error: Error) => {
      closing.signal.throwIfAborted();
      throw new Error(`The server does not respond: ${error.message}.`);
    });
    if (!response.ok) throw await readRefusal(response);
    return response;
  };
  return {
    apiKey,
    open,
    async call(request, body) {
      const text = await (await open(request, body)).text();
      return text === '' ? undefined : JSON.parse(text);
    },
    close: () => closing.abort(),
  };
}

/** Whether an error only says that something was cancelled on purpose. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** One thing that is wrong with a request. */
interface Issue {
  /** The field it is about, such as `advance`; empty if it is about no field. */
  readonly field: string;
  readonly sentence: string;
}

/** The service refused a request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(status: number, issues: readonly Issue[]) {
    super(issues.map(({ sentence }) => sentence).join(' '));
    this.status = status;
    this.issues = issues;
  }
}

async function readRefusal(response: Response): Promise<Refusal> {
  const text = await response.text();
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim();
  return new Refusal(response.status, readErrors(text, fallback).map(readIssue));
}

function readErrors(text: string, fallback: string): readonly string[] {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors;
  } catch {
    return [text || fallback];
  }
}

/** Reads an error such as `advance: expected a duration, got "soon"`. */
function readIssue(message: string): Issue {
  const [, path = '', rest = message] = /^([\w[\]. -]+): (.+)$/s.exec(message) ?? [];
  const plain = rest
    .replace(/^expected (.+), got nothing/s, 'This must be $1')
    .replace(/^expected (.+), got (.+)/s, 'This must be $1, not $2');
  const sentence = `${plain[0]?.toUpperCase()}${plain.slice(1)}`.replace(/[^.!?]$/, '$&.');
  return { field: path.split(/[ .]/).at(-1) ?? '', sentence };
}

/** The first records of a list. */
export interface Beginning<Item> {
  readonly records: readonly Item[];
  /** Whether the list ends here. */
  readonly isWhole: boolean;
}

/** How many records are loaded at first, and how many "More" adds. */
export const pageLength = 100;

/** The longest page that the service sends. */
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
    const response: Response = await api.open(`GET ${next}`);
    records.push(...((await response.json()) as Item[]));
    next = nextPage(response.headers);
  }
  return { records, isWhole: next === undefined };
}

/** Path and query of the next page, from the Link header. */
function nextPage(headers: Headers): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
