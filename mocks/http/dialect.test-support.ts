import type { Dialect } from '../../interface/dialect.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { World } from '../service/world-handle.ts';
import { type RequestParts, testKey, testRequest } from './request.test-support.ts';

export type JsonObject = Record<string, unknown>;

/** A response whose body was read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: JsonObject;
}

/** A client of a mock, and the world behind it. */
export interface Client {
  readonly mock: Mock;
  readonly world: World;
  /** Sends a request such as `GET /api/stream`, with a body as JSON. */
  send(line: string, body?: unknown, parts?: RequestParts): Promise<Answer>;
  /** Sends a request whose response is a list. */
  list(path: string): Promise<JsonObject[]>;
}

/** A mock, with an empty world unless the options say otherwise, that has a dialect with these parts. */
export function mockWith(parts: Omit<Dialect, 'dialect'>, options: MockOptions = {}): Mock {
  return createMock({ ...options, dialect: { dialect: 2, ...parts } });
}

/** A client of such a mock. */
export async function clientOf(
  parts: Omit<Dialect, 'dialect'>,
  options: MockOptions = {},
): Promise<Client> {
  return connect(mockWith(parts, options));
}

/** A client of a mock. */
export async function connect(mock: Mock, apiKey: string = testKey): Promise<Client> {
  const send: Client['send'] = async (line, body, parts = {}) => {
    const own = { authorization: `Bearer ${apiKey}`, ...parts };
    const sent = body === undefined ? own : { body: JSON.stringify(body), ...own };
    return readAnswer(await mock.fetch(testRequest(line, sent)));
  };
  const list: Client['list'] = async (path) => {
    const { json } = await send(`GET ${path}`);
    return json as unknown as JsonObject[];
  };
  return { mock, world: await mock.world(apiKey), send, list };
}

/** Reads a response. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = /^[{[]/.test(text) ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, json };
}
