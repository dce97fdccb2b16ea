/** The bytes of a packet of MPEG-TS, and the byte that each begins with. */
const packet = { length: 188, sync: 0x47 };

/** The boxes that a segment or an initialization section in MP4 can begin with. */
const firstBox = /^.{4}(ftyp|styp|sidx|ssix|moov|moof|emsg|prft|mdat|free|skip|uuid)/s;

/** How packed audio and WebVTT begin: an ID3 tag, AAC or MPEG audio, AC-3, a line of text. */
const otherBeginning = /^(ID3|\xff[\xe0-\xff]|\vw|(\xef\xbb\xbf)?WEBVTT)/;

/**
 * Whether a file is a media segment in one of the formats of HLS (RFC 8216, 3.1 to 3.5).
 * @param beginning its first kilobytes, or all of it
 */
export function isSegment(beginning: Uint8Array): boolean {
  const head = Buffer.from(beginning.subarray(0, 16)).toString('latin1');
  return isTransportStream(beginning) || firstBox.test(head) || otherBeginning.test(head);
}

function isTransportStream(bytes: Uint8Array): boolean {
  for (let at = 0; at + packet.length <= bytes.length; at += packet.length) {
    if (bytes[at] !== packet.sync) return false;
  }
  return bytes.length >= packet.length;
}
