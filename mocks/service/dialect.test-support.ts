import { describe, expect, test } from 'vitest';
import { type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import type { Refusal } from '../../interface/silent-row.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { World } from './world-handle.ts';

export type JsonObject = Record<string, unknown>;

/** A response whose JSON was read: `{}` without a body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonObject;
  readonly isEmpty: boolean;
}

/** A client of a mock, and the world behind it. */
export interface Client {
  readonly mock: Mock;
  readonly world: World;
  /** Sends a request such as `GET /api/stream`, with a body as JSON. */
  send(line: string, body?: unknown): Promise<Answer>;
  /** Sends a request whose response is a list. */
  list(path: string): Promise<JsonObject[]>;
}

/** What a client sees of a row: its value, or a refusal's status. */
export type Look = (client: Client) => Promise<unknown>;

/** Makes a mock in whose dialect one row has a value, with a client of it. */
export async function clientOf(
  rows: Partial<Record<RowId, unknown>>,
  options: MockOptions = {},
): Promise<Client> {
  const dialect = { format: 'livestream-mock/dialect', version: 1, rows } as const;
  const mock = createMock({ ...options, dialect: dialect as NonNullable<MockOptions['dialect']> });
  return connect(mock);
}

/** A client of a mock. */
export async function connect(mock: Mock): Promise<Client> {
  const send: Client['send'] = async (line, body) => {
    const parts = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await mock.fetch(testRequest(line, parts));
    const text = await response.text();
    const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, json, isEmpty: text === '' };
  };
  const list: Client['list'] = async (path) => {
    const { status, json } = await send(`GET ${path}`);
    expect(status).toBe(200);
    return json as unknown as JsonObject[];
  };
  return { mock, world: await mock.world(testKey), send, list };
}

/** The refusal that a response is; `undefined` for any other. */
export function refusal({ status, isEmpty }: Answer): Refusal | undefined {
  if (status < 400) return undefined;
  return isEmpty ? { status, body: 'empty' } : { status };
}

/** Tests that a mock does what each value of each row says, and what the default says without a dialect. */
export function describeRows(looks: Partial<Record<RowId, Look>>, options: MockOptions = {}): void {
  describe.each(Object.keys(looks) as RowId[])('%s', (id) => {
    const look = looks[id] as Look;
    const { default: usual, samples } = rowOf(id);

    test.each(samples)('does %j', async (value) => {
      expect(await look(await clientOf({ [id]: value }, options))).toEqual(value);
    });

    test('does the usual without a dialect', async () => {
      expect(await look(await connect(createMock(options)))).toEqual(usual);
    });
  });
}

/** The ids of the rows that begin with one of some texts. */
export function rowsBeginning(...beginnings: readonly string[]): RowId[] {
  return rowIds.filter((id) => beginnings.some((beginning) => id.startsWith(beginning)));
}

/** The type of each value, by its key. */
export function typesOf(object: JsonObject): Record<string, string> {
  const entries = Object.entries(object).map(([key, value]) => [
    key,
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
  ]);
  return Object.fromEntries(entries);
}
