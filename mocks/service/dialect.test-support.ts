import { expect } from 'vitest';
import { type Behaviours, type RowId, rowIds } from '../../interface/silent.ts';
import type { Refusal } from '../../interface/silent-row.ts';
import { mockWith, testRows } from '../http/dialect.test-support.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import type { Mock } from '../mock.ts';
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

/** A client of an empty world whose service behaves as the rows say. */
export async function clientOf(
  rows: Partial<Behaviours>,
  options: MockOptions = {},
): Promise<Client> {
  return connect(mockWith(rows, options));
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

/** As {@link testRows}, in an empty world. */
export function testLooks(looks: Readonly<Partial<Record<RowId, Look>>>): void {
  const shows = Object.entries(looks).map(([id, look]) => [
    id,
    async (_: unknown, mock: Mock) => look(await connect(mock)),
  ]);
  testRows(Object.fromEntries(shows), {});
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
