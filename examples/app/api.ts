import type { NewStream, Session, Stream } from 'livestream-mock';

/** The service, as far as this app uses it. A refused call rejects with what the service says. */
export interface Service {
  listStreams(): Promise<Stream[]>;
  createStream(stream: NewStream): Promise<Stream>;
  setRecord(streamId: string, record: boolean): Promise<void>;
  listSessions(streamId: string): Promise<Session[]>;
}

/** Sends one request, and gives back the JSON of its answer. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The service at a base address. */
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

/** Sends with an API key; an answer that is no success rejects with the service's own words. */
export function sendTo(baseUrl: string, apiKey: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error(`No answer from ${baseUrl}. Is the service running?`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(readErrors(text) ?? `${method} ${path}: ${answer.status}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** What the service says of a refused request, a line each: `{"errors": [...]}`. */
function readErrors(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('\n');
  } catch {
    return undefined;
  }
}
