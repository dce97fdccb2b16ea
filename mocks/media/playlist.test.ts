import { expect, test } from 'vitest';
import { readAll } from './bytes.ts';
import { livePlaylist, recordingPlaylist } from './playlist.ts';

test('the playlist of a recording names its initialization segment and each segment in order', () => {
  const playlist = Buffer.from(readAll(recordingPlaylist(300, 'source/'))).toString();
  expect(playlist).toMatchInlineSnapshot(`
    "#EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:4
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-MEDIA-SEQUENCE:0
    #EXT-X-MAP:URI="source/init.mp4"
    #EXTINF:3.200000,
    source/00000000.m4s
    #EXTINF:3.200000,
    source/00000001.m4s
    #EXTINF:3.200000,
    source/00000002.m4s
    #EXTINF:0.400000,
    source/00000003.m4s
    #EXT-X-ENDLIST
    "
  `);
});

test.each([10 * 3600, 31 * 24 * 3600])(
  'the playlist of a recording of %i seconds ends with its last segments',
  (seconds) => {
    const playlist = recordingPlaylist(seconds * 30, '');
    const end = Buffer.from(playlist.read(playlist.length - 200, playlist.length)).toString();
    const last = Math.ceil((seconds * 10) / 32) - 1;
    const names = end.match(/\d+(?=\.m4s)/g);
    expect(names?.map(Number).slice(-3)).toEqual([last - 2, last - 1, last]);
  },
);

test('a live playlist says of each session where its media is and when its first segment began', () => {
  const startedAt = Date.UTC(2026, 0, 1);
  const common = { startedAt, mediaSequence: 0, discontinuitySequence: 0 };
  const parts = [
    { ...common, sessionId: 'first', first: 2, end: 3 },
    {
      ...common,
      sessionId: 'second',
      mediaSequence: 3,
      discontinuitySequence: 1,
      first: 0,
      end: 1,
    },
  ];
  const playlist = Buffer.from(readAll(livePlaylist({ parts, ended: true }))).toString();
  expect(playlist).toMatchInlineSnapshot(`
    "#EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:4
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-MEDIA-SEQUENCE:2
    #EXT-X-DISCONTINUITY-SEQUENCE:0
    #EXT-X-MAP:URI="first/init.mp4"
    #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:06.400Z
    #EXTINF:3.200000,
    first/00000002.m4s
    #EXT-X-DISCONTINUITY
    #EXT-X-MAP:URI="second/init.mp4"
    #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
    #EXTINF:3.200000,
    second/00000000.m4s
    #EXT-X-ENDLIST
    "
  `);
});
