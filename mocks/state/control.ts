import * as z from 'zod';
import { lastMoment } from '../../interface/schemas.ts';
import { durationSchema } from './duration.ts';

/*
 * What testers set and see of a world through the control API, besides its records.
 */

const maxSpeed = 3600;
const speedForm = `a number from 0, which is paused, to ${maxSpeed}`;

/** Schema of the speed of a clock. */
export const speedSchema: z.ZodType<number> = z
  .number(speedForm)
  .min(0, speedForm)
  .max(maxSpeed, speedForm)
  .describe('How fast the clock runs: 1 is as fast as the time source, 0 is paused');

const timeForm =
  'milliseconds since 1970, or a string such as "2027-01-15T12:00:00Z", from 1970 to the year 9999';
const timeSchema = z.union(
  [
    z.int(timeForm).min(0, timeForm).max(lastMoment, timeForm),
    z.iso
      .datetime({ offset: true, error: timeForm })
      .refine((text) => Date.parse(text) >= 0, timeForm),
  ],
  timeForm,
);

const settingForm = 'an object with advance or now, with speed, or with one of them and speed';

/** What a tester sets of a world's clock. */
export type ClockSetting = z.infer<typeof clockSettingSchema>;

/** Schema of a {@link ClockSetting}: how far it is advanced or what it shows, and how fast it runs. */
export const clockSettingSchema = z
  .strictObject(
    {
      advance: durationSchema.exactOptional(),
      now: timeSchema.exactOptional(),
      speed: speedSchema.exactOptional(),
    },
    settingForm,
  )
  .refine(({ advance, now, speed }) => {
    const moves = [advance, now].filter((value) => value !== undefined).length;
    return moves < 2 && moves + (speed === undefined ? 0 : 1) > 0;
  }, settingForm);

const time = z.int().describe('Milliseconds since 1970');

/** Something that happened to a world at a time of its clock, and that its sessions do not show. */
export type Moment = z.infer<typeof momentSchema>;

/** Schema of a {@link Moment}: recording was switched, or the clock was moved from `at` to `to`. */
export const momentSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('recording'),
    at: time,
    streamId: z.string(),
    record: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('clock'), at: time, to: time }),
]);

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
