/** What servers are asked for; what changes a server comes last. */
export const operationNames = ['list', 'retrieve', 'record', 'create', 'segment', 'range'] as const;

/** Name of what a server is asked for. */
export type OperationName = (typeof operationNames)[number];

/** One request, and the status of the answer that counts. */
export interface Work {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/** The work that a server can do. */
export type Works = Readonly<Partial<Record<OperationName, Work>>>;

/** Headers of a request with a key. */
export const keyHeaders: Readonly<Record<string, string>> = { authorization: 'Bearer test-demo' };

/** A GET of the interface. */
export function get(path: string, headers: Work['headers'] = keyHeaders): Work {
  return { method: 'GET', path, headers, status: 200 };
}

/** A request with a JSON body. */
export function send(method: 'POST' | 'PATCH', path: string, value: unknown, status: number): Work {
  const headers = { ...keyHeaders, 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(value), status };
}

/** A megabyte from the middle of a file. */
export function megabyte(path: string): Work {
  return { ...get(path, { range: 'bytes=1000000-1999999' }), status: 206 };
}
