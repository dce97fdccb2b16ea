import { expect, test } from 'vitest';
import { isSegment } from './segment-format.ts';

const packets = 'G'.padEnd(188).repeat(3);
const fragment = '\0\0\0\x08styp\0\0\0\x0cmoof\0\0\0\0\0\0\0\0mdat and so on';

test.each([
  { file: 'packets of MPEG-TS, the last one cut off', text: `${packets}G`, is: true },
  { file: 'boxes of MP4', text: fragment, is: true },
  { file: 'packed audio behind an ID3 tag', text: 'ID3\x04\0', is: true },
  { file: 'packed AAC', text: '\xff\xf1\x50', is: true },
  { file: 'WebVTT behind a byte order mark', text: '\xef\xbb\xbfWEBVTT\n', is: true },
  { file: 'a packet and zeros', text: packets.slice(0, 188).padEnd(376, '\0'), is: false },
  { file: 'a text', text: 'No such segment.', is: false },
])('$file counts as a segment: $is', ({ text, is }) => {
  expect(isSegment(Buffer.from(text, 'latin1'))).toBe(is);
});
