import { describe, expect, test } from 'vitest';
import type { TargetResponse } from '../target/exchange.ts';
import { rememberExchanges } from '../target/failure.ts';
import type { TargetCall } from '../target/target.ts';
import { listRecorded, unfollowedPaging } from './recorded-list.ts';

describe('a Link to the next page is followed', () => {
  test.each([
    '<https://a.test/api/stream/s/sessions?page=2>; rel="next"',
    '<?page=2>; rel=next',
    '</>; rel="up", <?page=2>; title="more, more"; rel=next',
    '<?page=1>; rel="prev", <?page=2>; rel="last next"',
    '<?page=2>; REL = "Next"',
  ])('%s', async (link) => {
    expect(await pathsFor(link)).toEqual([
      '/stream/s/sessions?record=1',
      '/stream/s/sessions?page=2',
    ]);
  });
});

describe('no further page is requested if a Link leads elsewhere', () => {
  test.each([
    '<?page=2>; rel="prev"',
    '<?page=2>; rel=nextish',
    '<?page=2>; title="; rel=next',
    '</elsewhere>; rel=next',
    'rel=next',
  ])('%s', async (link) => {
    expect(await pathsFor(link)).toEqual(['/stream/s/sessions?record=1']);
  });
});

describe('the header of a list that says that it goes on in a way the suite cannot follow', () => {
  const rows: readonly { says: string; headers: Record<string, string>; found?: string }[] = [
    { says: 'nothing', headers: { 'content-type': 'application/json', 'accept-ranges': 'none' } },
    { says: 'a cursor', headers: { 'x-next-cursor': 'a1' }, found: 'x-next-cursor: a1' },
    { says: 'no further cursor', headers: { 'x-next-cursor': '' } },
    { says: 'that there are more', headers: { 'x-total-count': '4' }, found: 'x-total-count: 4' },
    { says: 'that there are no more', headers: { 'x-total-count': '2' } },
    {
      says: 'a range',
      headers: { 'content-range': 'sessions 0-1/4' },
      found: 'content-range: sessions 0-1/4',
    },
    {
      says: 'a Link without a query',
      headers: { link: '</p/2>; rel=next' },
      found: 'link: </p/2>; rel=next',
    },
    { says: 'a Link to another page', headers: { link: '<?p=1>; rel=prev' } },
  ];
  test.each(rows)('$says', ({ headers, found }) => {
    const listed = rememberExchanges([{}, {}], [{ curl: 'curl', headers, duration: 1 }]);
    expect(unfollowedPaging(listed)).toBe(found);
  });
});

/** The paths that are requested if the first page has a `Link` header. */
async function pathsFor(link: string): Promise<string[]> {
  const paths: string[] = [];
  const call = async ({ path }: TargetCall): Promise<TargetResponse> => {
    const first = paths.push(path) === 1;
    return {
      status: 200,
      headers: new Headers(first ? { link } : {}),
      bytes: new Uint8Array(0),
      text: '[]',
      json: [],
      url: 'http://a.test',
      shown: 'http://a.test',
      foreign: false,
      sent: undefined,
    };
  };
  await listRecorded(call, 's');
  return paths;
}
