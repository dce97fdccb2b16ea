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

/** The service at a base URL. */
export function connect(send: Send): Service {
  return {
    listStreams: async () => (await send('GET', '/stream')) as Stream[],
    createStream: async (stream) => (await send('POST', '/stream', stream)) as Stream,
    setRecord: async (id, record) => {
      await send('PATCH', `/stream/${id}/record`, { record });
    },
    listSessions: async (id) => (await send('GET', `/stream/${id}/sessions`)) as Session[],
  };
}

/** Sends with an API key. An unsuccessful response rejects with the service's message. */
export function sendTo(baseUrl: string, apiKey: string): Send {
  return async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error(`No response from ${baseUrl}. Is the service running?`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(readErrors(text) ?? `${method} ${path}: ${response.status}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** The messages in a refusal, `{"errors": [...]}`, one per line. */
function readErrors(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('\n');
  } catch {
    return undefined;
  }
}
