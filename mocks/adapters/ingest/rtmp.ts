import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type Rtmp from 'node-media-server/src/protocol/rtmp.js';
import { missingPackage, optionError } from '../../../option-error.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import {
  type Broadcast,
  type Broadcasts,
  longestSilence,
  type MediaFacts,
  mostBroadcasts,
} from './broadcasts.ts';

/** What encoders connect to. */
export interface RtmpServer {
  /** Such as `rtmp://127.0.0.1:1935/live`; a stream key follows. */
  readonly address: string;
  /** Closes all connections. */
  close(): void;
}

/**
 * Takes what encoders send by RTMP, and drops their media.
 * @throws RangeError when it cannot listen there, or node-media-server is not installed.
 */
export async function listenRtmp(
  broadcasts: Broadcasts,
  host: string,
  port: number,
): Promise<RtmpServer> {
  const library = await loadLibrary().catch(() => {
    throw missingPackage('rtmp', 'node-media-server', '4');
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    takeConnection(socket, library, broadcasts);
  });
  server.maxConnections = mostBroadcasts;
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }) => {
    const reason = `expected a port that is free on ${host}, got ${port} (${code}); 0 picks one`;
    throw optionError(RangeError, 'rtmp', reason);
  });
  // A connection that cannot be taken is no reason to stop.
  server.on('error', () => {});
  const { port: found } = server.address() as AddressInfo;
  return {
    address: `rtmp://${host.includes(':') ? `[${host}]` : host}:${found}/live`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Loads only how RTMP is read and written, and keeps that from printing. */
async function loadLibrary() {
  const { default: Parser } = await import('node-media-server/src/protocol/rtmp.js');
  const { decodeAmf0Data: decode } = await import('node-media-server/src/protocol/amf.js');
  const { default: logger } = await import('node-media-server/src/core/logger.js');
  logger.log = () => {};
  return { Parser, decode };
}

/** Most bytes from an encoder that is not live yet: its handshake and a few commands. */
const mostBefore = 64 * 1024;

/** Bytes that are read in a millisecond: at most 50 Mbit/s. */
const mostInMillisecond = 6_250;

/** Takes one connection, which has five seconds to go live, once. */
function takeConnection(socket: Socket, library: Library, broadcasts: Broadcasts): void {
  let broadcast: Broadcast | undefined;
  const parser = createParser(library, () => broadcast !== undefined);
  const timer = setTimeout(() => socket.destroy(), longestSilence);
  let isAsked = false;
  const publish = async (path: string): Promise<void> => {
    try {
      const [, streamKey] = /^live\/+([^/?]+)/.exec(path) ?? [];
      if (streamKey === undefined) {
        // What follows the application may hold the key.
        const [application = ''] = /^[^/?]*\//.exec(path) ?? [];
        const got = describeValue(`/${application}…`);
        throw new Problem('unknown', { path: 'path', expected: '/live/STREAM_KEY', got });
      }
      const begun = await broadcasts.goLive('rtmp', streamKey, () => socket.destroy());
      if (socket.destroyed) return begun.end();
      clearTimeout(timer);
      broadcast = begun;
      parser.respondPublish();
    } catch (error) {
      const { message } = error as Error;
      broadcasts.onRefusal('rtmp', message);
      parser.sendStatusMessage(parser.streamId, 'error', 'NetStream.Publish.BadName', message);
      socket.destroySoon();
    }
  };
  parser.onPublish = ({ streamName }) => {
    if (isAsked) throw new Error('It publishes twice.');
    isAsked = true;
    parser.streamName = streamName;
    parser.streamId = parser.parserPacket.header.stream_id;
    publish(`${parser.streamApp}/${streamName}`).catch(() => socket.destroy());
  };
  parser.onPlay = () => socket.destroy();
  parser.onOutputCallback = (bytes) => {
    // A peer that asks without end and reads nothing would fill the memory.
    if (socket.writableLength > mostBefore) socket.destroy();
    else socket.write(bytes);
  };
  parser.onPacketCallback = ({ codec_type: type, flags, size, data }) => {
    const message = data.subarray(0, size);
    if (type === 8) broadcast?.receive(0, 0, readAudio(message));
    if (type === 9) broadcast?.receive(0, flags === 3 || flags === 4 ? 1 : 0, readVideo(message));
    if (type === 18) broadcast?.receive(0, 0, readMetadata(library.decode(message).dataObj));
  };
  socket.on('data', (bytes: Buffer) => {
    broadcast?.receive(bytes.length, 0, {});
    try {
      if (broadcast === undefined && socket.bytesRead > mostBefore) throw new Error('Not live.');
      parser.parserData(bytes);
    } catch {
      socket.destroy();
    }
    // A fast encoder waits, so that it leaves the process time for its other work.
    socket.pause();
    setTimeout(() => socket.resume(), bytes.length / mostInMillisecond);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(timer);
    broadcast?.end();
  });
}

const largestMedia = 4 * 1024 * 1024;

/** Encoders use about five. */
const mostChannels = 16;

/** What reads and writes RTMP. It makes room for large messages only once media is expected. */
function createParser({ Parser }: Library, isLive: () => boolean): Rtmp {
  const parser = new Parser();
  parser.packetParse = () => {
    Parser.prototype.packetParse.call(parser);
    const { header, bytes } = parser.parserPacket;
    const isMedia = header.type === 8 || header.type === 9;
    const most = isMedia && isLive() ? largestMedia : mostBefore;
    if (header.length > most || header.length < bytes || parser.inPackets.size > mostChannels) {
      throw new Error('No encoder sends such a message.');
    }
  };
  return parser;
}

/**
 * Codecs by how messages of RTMP name them, which is as in FLV files; newer ones have four characters:
 * https://veovera.org/docs/enhanced/enhanced-rtmp-v2
 */
const codecs: Readonly<Record<'video' | 'audio', Readonly<Record<string, string>>>> = {
  video: { 7: 'H.264', 12: 'HEVC', avc1: 'H.264', hvc1: 'HEVC', av01: 'AV1', vp09: 'VP9' },
  audio: { 2: 'MP3', 10: 'AAC', '.mp3': 'MP3', mp4a: 'AAC', Opus: 'Opus', fLaC: 'FLAC' },
};

/** The codec of a message with video. */
function readVideo(data: Buffer): MediaFacts {
  const [first = 0] = data;
  return { videoCodec: codecs.video[first < 0x80 ? first & 0x0f : fourCharacters(data)] };
}

/** The codec of a message with audio. */
function readAudio(data: Buffer): MediaFacts {
  const format = (data[0] ?? 0) >> 4;
  return { audioCodec: codecs.audio[format === 9 ? fourCharacters(data) : format] };
}

function fourCharacters(data: Buffer): string {
  return data.toString('latin1', 1, 5);
}

/** The size of the picture, of what an encoder says of its media. */
function readMetadata(metadata: unknown): MediaFacts {
  const { width, height } = Object(metadata) as Record<string, unknown>;
  return isSize(width) && isSize(height) ? { width, height } : {};
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}
