import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type Rtmp from 'node-media-server/src/protocol/rtmp.js';
import { missingPackage, optionError } from '../../../text/option-error.ts';
import { Problem } from '../../messages/problem.ts';
import { type Broadcast, type Broadcasts, longestSilence, maxBroadcasts } from './broadcasts.ts';
import { readAudio, readVideo } from './rtmp-codecs.ts';

/** The RTMP server that encoders connect to. */
export type RtmpServer = Awaited<ReturnType<typeof listenRtmp>>;

/**
 * Listens for encoders that send RTMP, and drops their media.
 * @throws RangeError if it cannot listen there, or if node-media-server is not installed.
 */
export async function listenRtmp(broadcasts: Broadcasts, host: string, port: number) {
  const Parser = await loadParser().catch(() => {
    throw missingPackage('rtmp', 'node-media-server', '4');
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    takeConnection(socket, Parser, broadcasts);
  });
  server.maxConnections = maxBroadcasts;
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }) => {
    const reason = `expected a port that is free on ${host}, got ${port} (${code}); 0 picks one`;
    throw optionError(RangeError, 'rtmp', reason);
  });
  // If it cannot accept a connection, it continues with the next.
  server.on('error', () => {});
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    port: actualPort,
    /** Closes all connections. */
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Parser = Awaited<ReturnType<typeof loadParser>>;

/** Loads only the part that reads and writes RTMP, and keeps it from printing. */
async function loadParser() {
  const { default: Parser } = await import('node-media-server/src/protocol/rtmp.js');
  const { default: logger } = await import('node-media-server/src/core/logger.js');
  logger.log = () => {};
  return Parser;
}

/** Maximum number of bytes from an encoder that is not live yet: its handshake and a few commands. */
const maxBeforeLive = 64 * 1024;

/** How fast data is read from an encoder: at 50 Mbit/s. */
const bytesPerMillisecond = 6_250;

/** Handles one connection, which has five seconds to go live, once. */
function takeConnection(socket: Socket, Parser: Parser, broadcasts: Broadcasts): void {
  let broadcast: Broadcast | undefined;
  const parser = createParser(Parser, () => broadcast !== undefined);
  const timer = setTimeout(() => socket.destroy(), longestSilence);
  let hasPublished = false;
  const publish = async (...path: readonly unknown[]): Promise<void> => {
    try {
      const streamKey = streamKeyIn(path);
      if (streamKey === undefined) {
        // The path may contain the key.
        const issue = { path: 'path', expected: '/live/STREAM_KEY', got: 'another' };
        throw new Problem('unknown', issue);
      }
      const newBroadcast = await broadcasts.goLive('rtmp', streamKey, () => socket.destroy());
      if (socket.destroyed) return newBroadcast.end();
      clearTimeout(timer);
      broadcast = newBroadcast;
      parser.respondPublish();
    } catch (exception) {
      const { message } = exception as Error;
      broadcasts.onRefusal('rtmp', message);
      parser.sendStatusMessage(parser.streamId, 'error', 'NetStream.Publish.BadName', message);
      socket.destroySoon();
    }
  };
  parser.onPublish = ({ streamName }) => {
    if (hasPublished) throw new Error('It publishes twice.');
    hasPublished = true;
    parser.streamName = streamName;
    parser.streamId = parser.parserPacket.header.stream_id;
    publish(parser.streamApp, streamName).catch(() => socket.destroy());
  };
  parser.onPlay = () => socket.destroy();
  parser.onOutputCallback = (bytes) => {
    // A peer that keeps asking and reads nothing would fill the memory.
    if (socket.writableLength > maxBeforeLive) socket.destroy();
    else socket.write(bytes);
  };
  parser.onPacketCallback = ({ codec_type: type, data }) => {
    if (type === 8) broadcast?.receive(0, 0, readAudio(data));
    if (type !== 9) return;
    const { frames, ...facts } = readVideo(data);
    broadcast?.receive(0, frames, facts);
  };
  socket.on('data', (bytes: Buffer) => {
    broadcast?.receive(bytes.length, 0, {});
    try {
      if (broadcast === undefined && socket.bytesRead > maxBeforeLive) throw new Error('Not live.');
      parser.parserData(bytes);
    } catch {
      socket.destroy();
    }
    // A fast encoder has to wait, so that the process has time for its other work.
    socket.pause();
    setTimeout(() => socket.resume(), bytes.length / bytesPerMillisecond);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(timer);
    broadcast?.end();
  });
}

/**
 * The stream key in what an encoder says of its path: the application, and the name there. Each may have a query, such as
 * that of `rtmp://HOST/live?token=TOKEN`, which users paste as the server, and before which some put a slash.
 */
function streamKeyIn(path: readonly unknown[]): string | undefined {
  const withoutQueries = path.map((part) => String(part).replace(/\?.*/s, '')).join('/');
  const [app, ...names] = withoutQueries.split('/').filter((word) => word !== '');
  return app === 'live' ? names.at(-1) : undefined;
}

const largestMedia = 4 * 1024 * 1024;

/** Maximum number of channels of a connection. Encoders use about five. */
const maxChannels = 16;

/** Makes what reads and writes RTMP. It accepts large messages only once media is expected. */
function createParser(Parser: Parser, isLive: () => boolean): Rtmp {
  const parser = new Parser();
  parser.packetParse = () => {
    Parser.prototype.packetParse.call(parser);
    const { header, bytes } = parser.parserPacket;
    const isMedia = header.type === 8 || header.type === 9;
    const maxLength = isMedia && isLive() ? largestMedia : maxBeforeLive;
    if (header.length > maxLength || header.length < bytes || parser.inPackets.size > maxChannels) {
      throw new Error('No encoder sends such a message.');
    }
  };
  return parser;
}
