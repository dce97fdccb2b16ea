import { expect, test } from 'vitest';
import { show, withoutSharedFolders } from './phrases.ts';

const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
const profileText = JSON.stringify(profile);

test.each([
  ['nothing', undefined, 'nothing'],
  ['a short list', [1, 'a', null], '[1,"a",null]'],
  ['a long list', [profile, profile, profile], `[${profileText}, and 2 more]`],
  [
    'a list with a long element',
    [{ name: 'a'.repeat(200) }, 1],
    `[{"name":"${'a'.repeat(110)}…, and 1 more]`,
  ],
  ['a long text', 'a'.repeat(200), `"${'a'.repeat(118)}…`],
])('in a message, %s is cut only where it can be read', (_, value, shown) => {
  expect(show(value)).toBe(shown);
});

test('of several addresses, only the first is shown with the folders that they share', () => {
  const folder = 'segment http://a.test/recordings/1';
  expect(
    withoutSharedFolders([`${folder}/high/1.ts`, `${folder}/high/2.ts`, `${folder}/low/1.ts`]),
  ).toEqual([`${folder}/high/1.ts`, '…/2.ts', '…/low/1.ts']);
  const unlike = ['PATCH /stream/1', 'PATCH /stream/2', 'https://a.test/1', 'https://b.test/1'];
  expect(withoutSharedFolders(unlike)).toEqual(unlike);
});
