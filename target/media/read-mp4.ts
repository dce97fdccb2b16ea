import { fail, NoResponse } from '../requests/failure.ts';
import type { Size } from './fetch-playlist.ts';

type Track = ReturnType<typeof newTrack>;

function newTrack() {
  return {
    /** Units in a second. */
    timescale: 0,
    units: 0,
    /** Units of a sample, unless its fragment says otherwise. */
    sampleUnits: 0,
    /** Of its picture in pixels; 0 if it has none, or does not say. */
    width: 0,
    height: 0,
  };
}

/** What was read so far. */
type Movie = ReturnType<typeof newMovie>;

function newMovie() {
  return {
    tracks: new Map<number, Track>(),
    /** The track that the current boxes belong to. */
    track: newTrack(),
    /** Units of a sample in the current fragment. */
    fragmentUnits: 0,
    /** Whether its samples may be described in fragments alone. */
    isFragmented: false,
    /** Boxes that contain only zeros. */
    zeros: [] as { readonly type: string; readonly track: Track }[],
    firstType: '',
    /** How many bytes the file must have at least, according to its boxes. */
    end: 0,
  };
}

/** Boxes whose children are read. */
const containers: readonly string[] = [
  ...['moov', 'trak', 'mdia', 'minf', 'stbl'],
  ...['mvex', 'moof', 'traf'],
];

/** How many bytes a `tkhd` has at least if it says how large the picture is. */
const shortestTrackHeader = 84;

/** How boxes are read, given their content after the type (ISO/IEC 14496-12). */
const leaves: Readonly<Record<string, (box: DataView, movie: Movie) => void>> = {
  tkhd(box, movie) {
    movie.track = trackOf(movie, box.getUint32(box.getUint8(0) === 1 ? 20 : 12));
    if (box.byteLength < shortestTrackHeader) return;
    // The last fields are fixed-point numbers with 16 binary places.
    movie.track.width = box.getUint32(box.byteLength - 8) / 2 ** 16;
    movie.track.height = box.getUint32(box.byteLength - 4) / 2 ** 16;
  },
  mdhd(box, { track }) {
    track.timescale = box.getUint32(box.getUint8(0) === 1 ? 20 : 12);
  },
  stts(box, { track }) {
    const end = 8 + 8 * box.getUint32(4);
    for (let at = 8; at < end; at += 8) track.units += box.getUint32(at) * box.getUint32(at + 4);
  },
  trex(box, movie) {
    movie.isFragmented = true;
    trackOf(movie, box.getUint32(4)).sampleUnits = box.getUint32(12);
  },
  tfhd(box, movie) {
    const flags = box.getUint32(0);
    const before = (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
    movie.track = trackOf(movie, box.getUint32(4));
    movie.fragmentUnits = flags & 0x8 ? box.getUint32(8 + before) : movie.track.sampleUnits;
  },
  trun(box, { track, fragmentUnits }) {
    const flags = box.getUint32(0);
    const samples = box.getUint32(4);
    if (!(flags & 0x100)) track.units += samples * fragmentUnits;
    else {
      const start = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
      const fields = [0x100, 0x200, 0x400, 0x800].filter((field) => flags & field).length;
      const end = start + 4 * fields * samples;
      for (let at = start; at < end; at += 4 * fields) track.units += box.getUint32(at);
    }
  },
};

/** Boxes that never contain only zeros, and tables that contain only zeros if their track has no samples. */
const headers: readonly string[] = ['mvhd', 'tkhd', 'mdhd', 'hdlr', 'stsd'];
const tables: readonly string[] = ['stsc', 'stsz', 'stz2', 'stco', 'co64'];
/** How many bytes of a table are read, to see whether it is empty. */
const headOfTable = 12;

function trackOf({ tracks }: Movie, id: number): Track {
  const track = tracks.get(id) ?? newTrack();
  if (tracks.size === maxTracks && !tracks.has(id)) throw new RangeError('too many tracks');
  tracks.set(id, track);
  return track;
}

const maxTracks = 1_000;
/** Bytes of the largest box that is read. */
const largestLeaf = 16 * 1024 * 1024;

/** Reads an MP4 chunk by chunk. Memory holds only the current box, and only if it says how long the tracks are. */
export function readMp4() {
  const movie = newMovie();
  let bytesArrived = 0;
  const boxes = readBoxes(movie, () => bytesArrived);
  let span = boxes.next().value;
  let buffer = new Uint8Array(span.kept ? span.bytes : 0);
  let bytesFilled = 0;
  let failure: unknown;
  const take = (chunk: Uint8Array): void => {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + span.bytes - bytesFilled);
      if (span.kept) buffer.set(piece, bytesFilled);
      at += piece.length;
      bytesFilled += piece.length;
      bytesArrived += piece.length;
      if (bytesFilled < span.bytes) continue;
      span = boxes.next(new DataView(buffer.buffer)).value;
      buffer = new Uint8Array(span.kept ? span.bytes : 0);
      bytesFilled = 0;
    }
  };
  return {
    /** The size of the largest picture in pixels; `undefined` if no track says. To be called at the end, too. */
    size(): Size | undefined {
      const pictures = [...movie.tracks.values()].filter(({ width, height }) => width * height > 0);
      const [largest] = pictures.sort((one, other) => other.width - one.width);
      return largest && { width: largest.width, height: largest.height };
    },
    take(chunk: Uint8Array): void {
      try {
        if (failure === undefined) take(chunk);
      } catch (exception) {
        failure = exception;
      }
    },
    /**
     * The duration of the longest track in seconds, summed over its samples. To be called once the whole body
     * of `response` was taken.
     * @throws CheckFailure if that was not an MP4, or only a part of one, and NoResponse if a table is too large.
     */
    duration(response: object): number {
      if (failure instanceof NoResponse) throw failure;
      const seconds = [...movie.tracks.values()].map(({ units, timescale }) => units / timescale);
      const duration = Math.max(0, ...seconds.filter(Number.isFinite));
      const isBox = movie.firstType === 'ftyp' || (duration > 0 && /^\w{4}$/.test(movie.firstType));
      if (failure !== undefined || !isBox) {
        fail('mp4URL: expected an MP4 file, got something else', response);
      }
      if (movie.end > bytesArrived) {
        fail(
          `mp4URL: expected a whole file of at least ${movie.end} bytes, got ${bytesArrived}`,
          response,
        );
      }
      if (duration === 0) fail('mp4URL: expected tracks with a duration, got none', response);
      const zeros = movie.zeros.find(
        ({ type, track }) =>
          headers.includes(type) ||
          (tables.includes(type) && track.units > 0 && !movie.isFragmented),
      );
      if (zeros !== undefined) {
        fail(`mp4URL: expected a whole header, got only zeros in ${zeros.type}`, response);
      }
      return duration;
    },
  };
}

/** The next bytes of a file, and whether they are needed. */
interface Span {
  readonly bytes: number;
  readonly kept: boolean;
}

/** Asks for the bytes of a file part by part. @param bytesArrived returns how many bytes have arrived so far */
function* readBoxes(movie: Movie, bytesArrived: () => number): Generator<Span, never, DataView> {
  for (;;) {
    const head = yield { bytes: 8, kept: true };
    const start = bytesArrived() - 8;
    const type = String.fromCharCode(...new Uint8Array(head.buffer, 4));
    const longSize = head.getUint32(0) === 1 ? yield { bytes: 8, kept: true } : undefined;
    const size = longSize === undefined ? head.getUint32(0) : Number(longSize.getBigUint64(0));
    const bytesLeft = start + size - bytesArrived();
    movie.firstType ||= type;
    // A size of 0 means the rest of the file. Any other size smaller than the head is not a box.
    if (bytesLeft < 0) yield { bytes: Number.POSITIVE_INFINITY, kept: false };
    movie.end = Math.max(movie.end, start + size);
    if (bytesLeft > 0 && !containers.includes(type)) yield* readBox(type, bytesLeft, movie);
  }
}

/** Reads as much of the content of a box as is needed. */
function* readBox(type: string, bytes: number, movie: Movie): Generator<Span, void, DataView> {
  const bytesToRead = bytesKept(type, bytes);
  if (bytesToRead > largestLeaf) {
    throw new NoResponse(`mp4URL: expected tables of at most ${largestLeaf} bytes, got ${bytes}`);
  }
  if (bytesToRead > 0) {
    const box = yield { bytes: bytesToRead, kept: true };
    leaves[type]?.(box, movie);
    const isZero = new Uint8Array(box.buffer).every((byte) => byte === 0);
    if (isZero && movie.zeros.length < maxTracks) movie.zeros.push({ type, track: movie.track });
  }
  if (bytes > bytesToRead) yield { bytes: bytes - bytesToRead, kept: false };
}

/** How many bytes of a box are read. */
function bytesKept(type: string, bytes: number): number {
  if (type in leaves || headers.includes(type)) return bytes;
  return tables.includes(type) ? Math.min(bytes, headOfTable) : 0;
}
