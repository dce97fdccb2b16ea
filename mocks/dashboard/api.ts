import { testerHeader } from '../http/tester.ts';

/** What came back from the service. */
interface Reply<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** One world of the service, as seen with its key. */
export interface Api {
  readonly apiKey: string;
  /**
   * Sends a request; paths are from the origin.
   * @throws Error with the service's own words when it refuses; AbortError once the api is closed.
   */
  call<Body>(request: string, body?: unknown): Promise<Reply<Body>>;
  /** The same, for a reader of the raw answer. */
  open(request: string, body?: unknown): Promise<Response>;
  /** Gives up what is under way. */
  close(): void;
}

/** Speaks for one key. A request reads `POST /_mock/reset`. */
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
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: closing.signal,
    }).catch((error: unknown) => {
      closing.signal.throwIfAborted();
      throw new Error(`no answer from the server: ${(error as Error).message}`);
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

async function readRefusal(response: Response): Promise<Error> {
  const text = await response.text();
  return new Error(`${response.status}: ${readErrors(text) || response.statusText}`, {
    cause: response.status,
  });
}

function readErrors(text: string): string {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('; ');
  } catch {
    return text;
  }
}

/** Path and query of the next page, which a list's Link header holds. */
export function nextPage(headers: Headers): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
