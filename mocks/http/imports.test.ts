import { describe, expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import { parseState } from '../service/state-lines.ts';
import { readErrors, stateText, testRequest } from './request.test-support.ts';

async function exported(mock: Mock): Promise<string> {
  return stateText((await mock.world()).exportState());
}

test('the body of a control operation is not read where the key is missing', async () => {
  const body = new Blob(['{}']).stream();
  const request = testRequest('PUT /_mock/state', { authorization: null, body });
  expect((await createMock().fetch(request)).status).toBe(401);
  expect(request.bodyUsed).toBe(false);
});

const asItIs = 'send the file as it is, with curl by --data-binary @FILE';
const other =
  'line 1: expected an exported state of version 2, which begins with {"kind":"state", got another text; arrange the world again in this version and export it';
const lastLine =
  'body: expected a last line {"kind":"end"} that counts the lines before it, as in a';

/** What is done to the lines of an exported state; # stands for any number. */
const wrongStates = `
only
  422 ${lastLine} whole state, got none after 0 lines
only {"version":1,"now":0,"streams":[]}
  422 ${other}
replace 1 "version":2 "version":3
  422 line 1, version: expected 2, as in a state that this version has exported, got 3
put 3 {"kind":"stream"
  400 line 3: expected JSON, got a syntax error: Expected ',' or '}' after property value at line 1, column 17
join
  400 line 1: expected JSON, got a syntax error: Unexpected non-whitespace character after JSON at line 1, column #; ${asItIs}
put 2 LONG
  413 line 2: expected at most 1048576 bytes, got more
put 2 {"kind":"x","value":1}
  422 line 2, kind: expected one of state, stream, session, exchange, faults, fault, end, got "x"
drop 1
  422 ${other}
replace 4 "record": "records":
  422 line 4, record: expected true or false, got nothing
cut 7
  422 ${lastLine} whole state, got none after 7 lines
end
  422 line #: expected the end of the state, got "end"
`;

/** Changes lines as a case says: what is done, to which line, with what. */
function changeLines(lines: string[], given: string): string[] {
  const [, how, number, text = ''] = /^(\w+) ?(\d+)? ?(.*)$/.exec(given) ?? [];
  const at = Number(number) - 1;
  const long = text.replace('LONG', ' '.repeat(2 ** 20 + 1));
  switch (how) {
    case 'only':
      return [long];
    case 'put':
      return lines.with(at, long);
    case 'replace': {
      const [before = '', after = ''] = text.split(' ');
      return lines.with(at, (lines[at] ?? '').replace(before, after));
    }
    case 'join':
      return [lines.join('')];
    case 'drop':
      return lines.toSpliced(at, 1);
    case 'cut':
      return lines.slice(0, at + 1);
    default:
      return [...lines, '{"kind":"end","value":{"lines":1}}'];
  }
}

describe('a text that is no exported state is refused with the number of its line, and changes nothing', () => {
  test.each(casesOf(wrongStates))('%s', async (given, told) => {
    const mock = createMock({ world: 'demo' });
    const before = await exported(mock);
    const text = changeLines(before.trimEnd().split('\n'), given).join('\n');
    const body = new TextEncoder().encode(text);
    const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
    const [error = ''] = await readErrors(response);
    const pattern = (told ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '\\d+');
    expect(`${response.status} ${error}`).toMatch(new RegExp(`^${pattern}$`));
    expect(await exported(mock)).toBe(before);
  });

  test('more bytes than are allowed', async () => {
    const mock = createMock({ world: 'demo', maxImport: 1_000 });
    const response = await mock.fetch(
      testRequest('PUT /_mock/state', { body: await exported(mock) }),
    );
    expect(response.status).toBe(413);
    expect((await readErrors(response))[0]).toMatch(/^body: expected at most 1000 bytes, got more/);
  });
});

test('an exchange that would not fit into a line is exported without the body of its response', async () => {
  const mock = createMock();
  const world = await mock.world();
  for (const letter of 'abcdefghijkl') {
    await world.createStream({ name: letter.repeat(100_000) });
  }
  await mock.fetch(testRequest('GET /api/stream', { authorization: 'Bearer test-demo' }));
  const answer = await mock.fetch(
    testRequest('GET /_mock/state?journal=1', { authorization: 'Bearer test-demo' }),
  );
  const state = await parseState(await answer.text());
  expect(state.journal).toMatchObject([{ operation: 'listStreams', answer: { status: 200 } }]);
  expect(state.journal?.[0]?.answer).not.toHaveProperty('body');
});
