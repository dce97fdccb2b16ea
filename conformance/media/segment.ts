/** Bytes of a packet of MPEG-TS, and what each begins with. */
const packet = { length: 188, sync: 0x47 };

/** Types of the boxes that a segment or an initialization section in MP4 begins with. */
const firstBox = /^(ftyp|styp|sidx|ssix|moov|moof|emsg|prft|mdat|free|skip|uuid)$/;

/** What packed audio and WebVTT begin with: an ID3 tag, AAC or MPEG audio, AC-3, a line of text. */
const otherBeginning = /^(ID3|\xff[\xe0-\xff]|\vw|(\xef\xbb\xbf)?WEBVTT)/;

/**
 * Whether a file is a media segment in one of the formats of HLS (RFC 8216, 3.1 to 3.5).
 * @param beginning its first kilobytes, or all of it
 * @param length bytes of the whole file
 */
export function isSegment(beginning: Uint8Array, length: number): boolean {
  const head = Buffer.from(beginning.subarray(0, 16)).toString('latin1');
  return isTransportStream(beginning) || isBoxes(beginning, length) || otherBeginning.test(head);
}

function isTransportStream(bytes: Uint8Array): boolean {
  for (let at = 0; at + packet.length <= bytes.length; at += packet.length) {
    if (bytes[at] !== packet.sync) return false;
  }
  return bytes.length >= packet.length;
}

function isBoxes(bytes: Uint8Array, length: number): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!firstBox.test(view.toString('latin1', 4, 8))) return false;
  for (let at = 0; at + 8 <= view.length; ) {
    const size = view.readUInt32BE(at);
    // A size of 1 stands before a size of 64 bits, and 0 means the rest of the file.
    if (size < 2) return true;
    if (size < 8 || at + size > length) return false;
    at += size;
  }
  return true;
}
