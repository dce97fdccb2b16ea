import type { Dialect } from '../../interface/dialect.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { World } from '../service/world-handle.ts';
import { type RequestParts, testKey, testRequest } from './request.test-support.ts';

type JsonObject = Record<string, unknown>;

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

/** A client of a mock, with an empty world unless the options say otherwise, that has a dialect with these parts. */
export async function clientOf(
  parts: Omit<Dialect, 'dialect'>,
  options: MockOptions = {},
): Promise<Client> {
  const mock = createMock({ ...options, dialect: { dialect: 2, ...parts } });
  const send: Client['send'] = async (line, body, others = {}) => {
    const sent = body === undefined ? others : { body: JSON.stringify(body), ...others };
    return readAnswer(await mock.fetch(testRequest(line, sent)));
  };
  const list: Client['list'] = async (path) => {
    const { json } = await send(`GET ${path}`);
    return json as unknown as JsonObject[];
  };
  return { mock, world: await mock.world(testKey), send, list };
}

/** Reads a response. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = /^[{[]/.test(text) ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, json };
}
