import { parse, types } from 'hls-parser';
import { expect, test } from 'vitest';
import { type ByteSource, readAll } from './bytes.ts';
import { livePlaylist, multivariantPlaylist, recordingPlaylist } from './playlist.ts';

const second = 30;

function read(playlist: ByteSource): string {
  return Buffer.from(readAll(playlist)).toString('utf8');
}

function parseMedia(playlist: ByteSource): types.MediaPlaylist {
  const parsed = parse(read(playlist));
  if (!(parsed instanceof types.MediaPlaylist)) throw new Error('not a media playlist');
  return parsed;
}

function sumOfSegments({ segments }: types.MediaPlaylist): number {
  return segments.reduce((sum, { duration }) => sum + duration, 0);
}

test.each([1, 30, 96, 97, 315, 1419])(
  'the segments of a recording of %i frames are as long as the recording',
  (frames) => {
    const playlist = parseMedia(recordingPlaylist(frames, ''));
    expect(sumOfSegments(playlist)).toBeCloseTo(frames / 30, 5);
    expect(playlist).toMatchObject({ playlistType: 'VOD', endlist: true, mediaSequenceBase: 0 });
    for (const { duration } of playlist.segments) {
      expect(Math.round(duration)).toBeLessThanOrEqual(playlist.targetDuration);
    }
  },
);

test('the playlist of a recording names its initialization segment and each segment in order', () => {
  const playlist = read(recordingPlaylist(10 * second, 'source/'));
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
    const playlist = recordingPlaylist(seconds * second, '');
    const end = playlist.read(playlist.length - 200, playlist.length);
    const last = Math.ceil((seconds * 10) / 32) - 1;
    const names = Buffer.from(end)
      .toString()
      .match(/\d+(?=\.m4s)/g);
    expect(names?.map(Number).slice(-3)).toEqual([last - 2, last - 1, last]);
  },
);

test('a live playlist has a window of segments and the start time of the first', () => {
  const startedAt = Date.UTC(2026, 0, 1);
  const window = { frames: 8 * 96, first: 2, end: 8, ended: false, startedAt };
  const playlist = parseMedia(livePlaylist(window, 'a-session/'));
  expect(playlist).toMatchObject({ mediaSequenceBase: 2, endlist: false });
  expect(playlist.playlistType).toBeUndefined();
  expect(sumOfSegments(playlist)).toBeCloseTo(6 * 3.2, 5);
  const [first] = playlist.segments;
  expect(first?.programDateTime).toEqual(new Date(startedAt + 6_400));
  expect(first?.map.uri).toBe('a-session/init.mp4');
});

test('a multivariant playlist offers each rendition with its size, rate and codecs', () => {
  const variant = { bandwidth: 500_000, width: 640, height: 360 };
  const codecs = ['avc1.64001e', 'mp4a.40.2'];
  const playlist = parse(read(multivariantPlaylist([{ ...variant, uri: '0/index.m3u8', codecs }])));
  if (!(playlist instanceof types.MasterPlaylist)) throw new Error('not a multivariant playlist');
  expect(playlist.independentSegments).toBe(true);
  expect(playlist.variants).toMatchObject([
    {
      uri: '0/index.m3u8',
      bandwidth: 500_000,
      resolution: { width: 640, height: 360 },
      frameRate: 30,
      codecs: 'avc1.64001e,mp4a.40.2',
    },
  ]);
});
