import { describe, expect, test } from 'vitest';
import { type Behaviours, type RowId, rowOf } from '../../interface/silent.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { type RequestParts, testRequest } from './request.test-support.ts';

/** Sends a request such as `POST /api/stream` to the mock of a test. */
export type Send = (line: string, parts?: RequestParts) => Promise<Response>;

/** Sends what shows a row, and reads the value of the row from the responses. */
export type Show = (send: Send, mock: Mock) => Promise<unknown>;

/** A mock, with a demo world unless the options say otherwise, whose service behaves as the rows say. */
export function mockWith(
  rows: Partial<Behaviours>,
  options: MockOptions = { world: 'demo' },
): Mock {
  return createMock({
    ...options,
    dialect: { format: 'livestream-mock/dialect', version: 1, rows },
  });
}

/** Sends requests to a mock. */
export function sendTo(mock: Mock): Send {
  return (line, parts) => mock.fetch(testRequest(line, parts));
}

/** Tests that a mock shows each row's default, and each of its samples in a mock with that value alone. */
export function testRows(
  shows: Readonly<Partial<Record<RowId, Show>>>,
  options?: MockOptions,
): void {
  describe.each(Object.entries(shows) as [RowId, Show][])('the row %s', (id, show) => {
    const values = [rowOf(id).default, ...rowOf(id).samples];
    test.each(values.map((value) => ({ value })))('shows $value', async ({ value }) => {
      const mock = mockWith({ [id]: value }, options);
      expect(await show(sendTo(mock), mock)).toEqual(value);
    });
  });
}

/** How a response refuses, as a row says it; `otherwise` for one that does not refuse. */
export async function refusalOf(response: Response, otherwise?: unknown): Promise<unknown> {
  const text = await response.text();
  const { status } = response;
  if (status < 400) return otherwise ?? `not refused: ${status}`;
  return { status, ...(text === '' && response.type !== 'error' && { body: 'empty' }) };
}
