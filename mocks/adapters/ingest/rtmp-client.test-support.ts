import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Connects, and sends bytes. The connection ends with the test, if not before. */
export function openConnection(address: string, bytes: Buffer) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  /** Everything that has come so far. */
  const received = (): Buffer => Buffer.concat(pieces);
  return { socket, received, closed };
}

const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)]);

/** A message in one chunk, on a channel: its header, and the given part of its payload. */
export function message(
  { channel = 3, type = 20, length }: { channel?: number; type?: number; length?: number },
  payload: Buffer,
): Buffer {
  const header = Buffer.alloc(12);
  header[0] = channel;
  header.writeUIntBE(length ?? payload.length, 4, 3);
  header[7] = type;
  header[8] = 1;
  return Buffer.concat([header, payload]);
}

/** Says how long the following chunks are. */
export function chunkSize(bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return message({ channel: 2, type: 1 }, payload);
}

type Amf = string | number | null | { readonly [key: string]: Amf };

function amf(value: Amf): Buffer {
  if (value === null) return Buffer.from([5]);
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), text(value)]);
  if (typeof value === 'number') {
    const number = Buffer.alloc(9);
    number.writeDoubleBE(value, 1);
    return number;
  }
  const fields = Object.entries(value).flatMap(([key, field]) => [text(key), amf(field)]);
  return Buffer.concat([Buffer.from([3]), ...fields, Buffer.from([0, 0, 9])]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function command(...values: readonly Amf[]): Buffer {
  return message({}, Buffer.concat(values.map(amf)));
}

/** Everything that an encoder sends before its media. */
export function publishing(address: string, app = 'live'): Buffer {
  const streamKey = address.split('/').at(-1) ?? '';
  return Buffer.concat([
    handshake,
    chunkSize(60_000),
    command('connect', 1, { app, tcUrl: 'rtmp://127.0.0.1/live' }),
    command('createStream', 2, null),
    command('publish', 3, null, streamKey, 'live'),
  ]);
}
