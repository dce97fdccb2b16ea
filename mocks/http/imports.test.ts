import { expect, test } from 'vitest';
import { serveMock } from '../../target/servers.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import { stateType } from '../service/exported-state.ts';
import { readErrors, stateText, testRequest } from './request.test-support.ts';

async function exported(mock: Mock): Promise<string> {
  return stateText((await mock.world()).exportState());
}

test('the body of a control operation is not read if the key is missing', async () => {
  const body = new Blob(['{}']).stream();
  const request = testRequest('PUT /_mock/state', { authorization: null, body });
  expect((await createMock().fetch(request)).status).toBe(401);
  expect(request.bodyUsed).toBe(false);
});

const lastLine =
  'body: expected a last line {"kind":"end"} that counts the lines before it, as in a';

type Change = (lines: string[]) => string[];

/** Changes of the lines of an exported state, and how each is refused. # stands for any number. */
const wrongStates: readonly (readonly [Change, told: string])[] = [
  [() => [], `422 ${lastLine} whole state, got none`],
  [
    () => ['{"version":1,"now":0,"streams":[]}'],
    '422 line 1: expected an exported state of version 2, which begins with {"kind":"state", got nothing; export the state again with this version',
  ],
  [
    (lines) => lines.slice(1),
    '422 line 1: expected an exported state of version 2, which begins with {"kind":"state", got "stream"; export the state again with this version',
  ],
  [
    ([first = '', ...lines]) => [first.replace('"version":2', '"version":3'), ...lines],
    '422 line 1, version: expected 2, as in a state that this version has exported, got 3',
  ],
  [
    (lines) => lines.with(2, '{"kind":"stream"'),
    '400 line 3: expected JSON, got a syntax error in line 3, column 17 (a comma or } belongs there)',
  ],
  [
    (lines) => [lines.join('')],
    '400 line 1: expected JSON, got a syntax error in line 1, column # (nothing more belongs there); send the file as it is, with curl by --data-binary @FILE',
  ],
  [
    (lines) => lines.with(1, ' '.repeat(2 ** 22 + 1)),
    '413 line 2: expected at most 4194304 bytes, got more',
  ],
  [
    (lines) => lines.with(1, lines[0] ?? ''),
    '422 line #: expected no second state, and nothing after the line of kind end, got "state"',
  ],
  [
    (lines) => lines.with(1, '{"kind":"x","value":{}}'),
    '422 line 2, kind: expected one of state, stream, session, exchange, end, got "x"',
  ],
  [
    (lines) => lines.map((line) => line.replace('"record":', '"records":')),
    '422 line 2, record: expected true or false, got nothing',
  ],
  [(lines) => lines.slice(0, 7), `422 ${lastLine} whole state, got none`],
  [
    ([head = '', , ...others]) => [head, ...others],
    `422 ${lastLine} whole state, got 16 after 15 lines`,
  ],
  [
    (lines) => [...lines, '{"kind":"end","value":{"lines":1}}'],
    '422 line #: expected no second state, and nothing after the line of kind end, got "end"',
  ],
];

test.each(wrongStates)('%s is no exported state and is refused: %s', async (change, told) => {
  const mock = createMock({ world: 'demo' });
  const before = await exported(mock);
  const body = new TextEncoder().encode(change(before.trimEnd().split('\n')).join('\n'));
  const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
  const [error = ''] = await readErrors(response);
  const refusal = `${response.status} ${error}`;
  expect(refusal.replace(/\d+(?= \(nothing more|: expected no second)/, '#')).toBe(told);
  expect(await exported(mock)).toBe(before);
});

test('more bytes than are allowed are refused', async () => {
  const mock = createMock({ world: 'demo', maxImport: 1_000 });
  const body = await exported(mock);
  const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect(response.status).toBe(413);
  expect((await readErrors(response))[0]).toMatch(/^body: expected at most 1000 bytes, got more/);
});

test('a large world is exported over HTTP, imported into another mock, and exported again as the same bytes', async () => {
  const now = () => Date.UTC(2026, 0, 1);
  const from = await serveMock({ world: 'crowded', streams: 4_000, now });
  const to = await serveMock({ now });
  const text = await (await send(from, 'GET')).text();
  expect(text.length).toBeGreaterThan(4_000_000);
  expect(text).toBe(await exported(from.mock));

  const { body } = await send(from, 'GET');
  expect((await send(to, 'PUT', body)).status).toBe(204);

  const again = await send(to, 'GET');
  expect(again.headers.get('content-type')).toBe(stateType);
  expect((await again.text()) === text).toBe(true);
});

function send(
  { controlUrl }: { controlUrl: string },
  method: string,
  body: ReadableStream | null = null,
): Promise<Response> {
  const headers = { authorization: 'Bearer test-demo' };
  // The types of Node do not have `duplex` yet.
  return fetch(`${controlUrl}/state`, { method, headers, body, duplex: 'half' } as RequestInit);
}
