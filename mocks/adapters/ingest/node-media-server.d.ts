/*
 * The parts of node-media-server 4 that are used, which read and write RTMP. Its servers, store and events are not
 * used: they are global to the process, write files, and end the process if a port is in use.
 */

declare module 'node-media-server/src/protocol/rtmp.js' {
  /** A packet of media, or of parameters of its codec. */
  interface Packet {
    readonly codec_type: number;
    readonly data: Buffer;
  }

  /** One side of a connection. It throws if a message is malformed. */
  class Rtmp {
    /** The message on each channel. */
    readonly inPackets: ReadonlyMap<number, unknown>;
    /** The message that is being read, and how much of it has come. */
    readonly parserPacket: {
      readonly header: { type: number; length: number; stream_id: number };
      readonly bytes: number;
    };
    /** What a connected encoder has said: any AMF value. */
    readonly streamApp: unknown;
    streamName: unknown;
    streamId: number;
    parserData(bytes: Uint8Array): void;
    /** Called after the header of each chunk. */
    packetParse(): void;
    onPublish(message: { readonly streamName: unknown }): void;
    onPlay(): void;
    respondPublish(): void;
    sendStatusMessage(streamId: number, level: string, code: string, description: string): void;
    onPacketCallback: (packet: Packet) => void;
    onOutputCallback: (bytes: Uint8Array) => void;
  }
  export = Rtmp;
}

declare module 'node-media-server/src/core/logger.js' {
  const logger: { log: (message: string) => void };
  export = logger;
}
