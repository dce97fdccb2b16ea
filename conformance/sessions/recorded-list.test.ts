import { describe, expect, test } from 'vitest';
import { rememberExchanges } from '../target/evidence.ts';
import type { TargetResponse } from '../target/exchange.ts';
import type { Call } from '../target/target.ts';
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

describe('no page is asked for where a Link leads elsewhere', () => {
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

describe('what a list says of further pages that the suite cannot follow', () => {
  const rows: [what: string, headers: Record<string, string>, way: string | undefined][] = [
    ['nothing', { 'content-type': 'application/json', 'accept-ranges': 'none' }, undefined],
    ['a cursor', { 'x-next-cursor': 'a1' }, 'x-next-cursor: a1'],
    ['no further cursor', { 'x-next-cursor': '' }, undefined],
    ['that there are more', { 'x-total-count': '4' }, 'x-total-count: 4'],
    ['that there are no more', { 'x-total-count': '2' }, undefined],
    ['a range', { 'content-range': 'sessions 0-1/4' }, 'content-range: sessions 0-1/4'],
    ['a Link without a query', { link: '</p/2>; rel=next' }, 'link: </p/2>; rel=next'],
    ['a Link to another page', { link: '<?p=1>; rel=prev' }, undefined],
  ];
  test.each(rows)('%s', (_, headers, way) => {
    const listed = rememberExchanges([{}, {}], [{ curl: 'curl', headers, duration: 1 }]);
    expect(unfollowedPaging(listed)).toBe(way);
  });
});

/** The paths that are asked for where the first page has a `Link` header. */
async function pathsFor(link: string): Promise<string[]> {
  const paths: string[] = [];
  const call = async ({ path }: Call): Promise<TargetResponse> => {
    const first = paths.push(path) === 1;
    return {
      status: 200,
      headers: new Headers(first ? { link } : {}),
      bytes: new Uint8Array(0),
      text: '[]',
      url: 'http://a.test',
      shown: 'http://a.test',
      foreign: false,
    };
  };
  await listRecorded(call, 's');
  return paths;
}
