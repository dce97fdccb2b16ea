import type { Dialect } from '../../interface/dialect/dialect.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { type RequestParts, testKey, testRequest } from './request.test-support.ts';

type JsonObject = Record<string, unknown>;

/** A client of a mock with these parts of a dialect, and with an empty world unless the options say otherwise. */
export async function clientOf(parts: Omit<Dialect, 'dialect'>, options: MockOptions = {}) {
  const mock = createMock({ ...options, dialect: { dialect: 3, ...parts } });
  /** Sends a request such as `GET /api/stream`, with a body as JSON. */
  const send = async (line: string, body?: unknown, others: RequestParts = {}) => {
    const sent = body === undefined ? others : { body: JSON.stringify(body), ...others };
    return readResponse(await mock.fetch(testRequest(line, sent)));
  };
  /** Sends a request whose response is a list. */
  const list = async (path: string) => {
    const { json } = await send(`GET ${path}`);
    return json as unknown as JsonObject[];
  };
  return { mock, world: await mock.world(testKey), send, list };
}

export async function readResponse(response: Response) {
  const text = await response.text();
  const json: JsonObject = /^[{[]/.test(text) ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, json };
}
