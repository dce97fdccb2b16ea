import * as z from 'zod';

/** Where encoders and cameras go live; an adapter fills it in once it listens. */
export interface IngestAddresses {
  /** Such as `rtmp://127.0.0.1:1935/live`; a stream key follows. */
  rtmp?: string | undefined;
  /** Such as `http://127.0.0.1:4100/webrtc`; a stream key follows. */
  whip?: string | undefined;
}

const incomingSchema = z.strictObject({
  streamId: z.string(),
  protocol: z.enum(['rtmp', 'whip']),
  videoCodec: z.string().optional(),
  frameRate: z.number().optional().describe('Frames of video in a second'),
  bitrate: z.number().describe('Bits in a second, of everything that comes in'),
  audioCodec: z.string().optional(),
});

/** What an encoder or a camera sends to a live stream. It is only in memory: neither records nor exports have it. */
export type Incoming = z.infer<typeof incomingSchema>;

/** The response of `GET /_mock/ingest`. */
export const ingestReportSchema = z.strictObject({
  rtmp: z.string().optional().describe('Where encoders go live; a stream key follows'),
  whip: z.string().optional().describe('Where browsers go live; a stream key follows'),
  incoming: z.array(incomingSchema),
});

/** What a tester sees of the encoders and cameras of a world. */
export type IngestReport = z.infer<typeof ingestReportSchema>;
