import type { NewStream, Session, Stream } from 'livestream-mock';

/** The part of the service that this app uses. A refused call rejects with the service's message. */
export interface Service {
  listStreams(): Promise<Stream[]>;
  createStream(stream: NewStream): Promise<Stream>;
  setRecord(streamId: string, record: boolean): Promise<void>;
  listSessions(streamId: string): Promise<Session[]>;
}

/** Sends one request, and returns the JSON of the response. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** A service at one address. */
export interface Connection {
  readonly send: Send;
  /** All items of a list, page by page. */
  listAll(path: string): Promise<unknown[]>;
}

/** What the app does with a service. */
export function connect({ send, listAll }: Connection): Service {
  return {
    async listStreams() {
      const streams = (await listAll('/stream')) as (Stream & { parentId?: string })[];
      // A service may list sessions, too: they are the objects with a parentId.
      return newestFirst(streams.filter(({ parentId }) => parentId === undefined));
    },
    createStream: async (stream) => (await send('POST', '/stream', stream)) as Stream,
    setRecord: async (id, record) => {
      await send('PATCH', `/stream/${id}/record`, { record });
    },
    listSessions: async (id) => newestFirst((await listAll(`/stream/${id}/sessions`)) as Session[]),
  };
}

/** The interface promises no order of lists. */
function newestFirst<Item extends { createdAt: number }>(items: readonly Item[]): Item[] {
  return [...items].sort((left, right) => right.createdAt - left.createdAt);
}

/** How often a request is sent again if the service says that there are too many. */
const mostRetries = 5;

/** Connects with an API key. An unsuccessful response rejects with the service's message. */
export function connectTo(baseUrl: string, apiKey: string): Connection {
  async function respond(method: string, url: string, body?: unknown): Promise<Response> {
    for (let retries = 0; ; retries += 1) {
      const response = await request(method, url, body);
      if (response.status !== 429 || retries === mostRetries) return response;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(response)));
    }
  }

  function request(method: string, url: string, body: unknown): Promise<Response> {
    return fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error(`No response from ${baseUrl}. Is the service running?`);
    });
  }

  async function read(response: Response, line: string): Promise<unknown> {
    const text = await response.text();
    if (!response.ok) throw new Error(readErrors(text) ?? `${line}: ${response.status}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  return {
    send: async (method, path, body) =>
      read(await respond(method, baseUrl + path, body), `${method} ${path}`),
    async listAll(path) {
      const items: unknown[] = [];
      let url: string | undefined = baseUrl + path;
      while (url !== undefined) {
        const response: Response = await respond('GET', url);
        items.push(...((await read(response, `GET ${path}`)) as unknown[]));
        url = nextPage(response);
      }
      return items;
    },
  };
}

/** Milliseconds to wait before a request is sent again: Retry-After has seconds or a date. */
function retryDelay({ headers }: Response): number {
  const text = headers.get('retry-after') ?? '1';
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.min(Math.max(milliseconds || 0, 100), 30_000);
}

/** The address of the next page of a list: services without pages have none. */
function nextPage({ headers, url }: Response): string | undefined {
  const [, next] = /<([^>]*)>;[^,]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  return next === undefined ? undefined : new URL(next, url).href;
}

/** The messages in a refusal, `{"errors": [...]}`, one per line. */
function readErrors(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('\n');
  } catch {
    return undefined;
  }
}
