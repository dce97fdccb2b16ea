import { expect, test } from 'vitest';
import { callTarget } from '../requests/call.ts';
import { rememberExchanges } from '../requests/failure.ts';
import { readTarget } from '../requests/target.ts';
import { listRecorded, unfollowedPaging } from './recorded-list.ts';

const second = ['/stream/s/sessions?page=2'];

test.each([
  ['<https://a.test/api/stream/s/sessions?page=2>; rel="next"', second],
  ['</>; rel="up", <?page=2>; title="more, more"; rel=next', second],
  ['<?page=1>; rel="prev", <?page=2>; rel="last next"', second],
  ['<?page=2>; REL = "Next"', second],
  ['<?page=2>; rel="prev"', []],
  ['<?page=2>; rel=nextish', []],
  ['<?page=2>; title="; rel=next', []],
  ['</elsewhere>; rel=next', []],
])('a list whose first page has the Link %s goes on at %j', async (link, further) => {
  expect(await pathsFor(link)).toEqual(['/stream/s/sessions?record=1', ...further]);
});

test.each([
  ['</stream/s/sessions/2>; rel="next"', 'link: </stream/s/sessions/2>; rel="next"'],
  ['</stream/s/sessions/1>; rel="prev"', undefined],
])('a list with the Link %s cannot be followed: %j', (link, expected) => {
  const listed = rememberExchanges([], [{ curl: 'curl', duration: 1, headers: { link } }]);
  expect(unfollowedPaging(listed)).toBe(expected);
});

/** The paths that are requested if the first page has a `Link` header. */
async function pathsFor(link: string): Promise<string[]> {
  const paths: string[] = [];
  const send = async ({ url }: Request): Promise<Response> => {
    const first = paths.push(url.replace('http://a.test', '')) === 1;
    return new Response('[]', { headers: first ? { link } : {} });
  };
  const target = readTarget({ baseUrl: 'http://a.test', apiKey: 'test-list', send });
  await listRecorded((request) => callTarget(target, request), 's');
  return paths;
}
