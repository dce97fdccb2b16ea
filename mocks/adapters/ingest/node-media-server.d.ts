/*
 * The parts of node-media-server 4 that are used: how RTMP is read and written. Its servers, store and events
 * stay out: they are one for each process, write files, and end the process when a port is in use.
 */

declare module 'node-media-server/src/protocol/rtmp.js' {
  /** Media, or what is said about it. */
  interface Packet {
    readonly codec_type: number;
    /** Of video: 3 is a key frame, 4 another frame; the rest are parameters of the codec. */
    readonly flags: number;
    readonly data: Buffer;
  }

  /** One side of a connection. What is malformed makes it throw. */
  class Rtmp {
    /** The messages of its channels. */
    readonly inPackets: ReadonlyMap<number, unknown>;
    /** The message that is read, and how much of it has come. */
    readonly parserPacket: {
      readonly header: { type: number; length: number; stream_id: number };
      readonly bytes: number;
    };
    /** What an encoder that connected has said: any value of AMF. */
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
