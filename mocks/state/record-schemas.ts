import * as z from 'zod';
import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { jsonSchema } from '../../interface/json.ts';
import {
  amountSchema,
  exactly,
  millisecondsSchema,
  profileSchema,
  recordingStatusSchema,
  streamShape,
} from '../../interface/schemas.ts';
import type { Profile, RecordingStatus } from '../../interface/types.ts';
import { longestSession } from './limits.ts';

const { id, name, createdAt, streamKey, playbackId, record } = streamShape;
const anyKeys = z.record(z.string(), jsonSchema, 'an object');

/** A dialect can accept profiles that {@link profileSchema} refuses. */
const storedProfilesSchema: z.ZodType<readonly Profile[]> = z.array(
  profileSchema
    .extend({ bitrate: amountSchema, fps: amountSchema, width: amountSchema, height: amountSchema })
    .loose(),
  'an array of profiles',
);

/** Schema of {@link StreamRecord}. */
export const streamRecordSchema: z.ZodType<StreamRecord> = exactly({
  id,
  name,
  createdAt,
  profiles: storedProfilesSchema,
  streamKey,
  playbackId,
  record,
  shown: anyKeys.exactOptional(),
  hidden: z.array(z.string('a string'), 'an array of fields').exactOptional(),
  further: anyKeys.exactOptional(),
  deletedAt: z.exactOptional(millisecondsSchema),
});

const sequenceNumberSchema = z
  .int('a whole number of at least 1')
  .min(1, 'a whole number of at least 1');

/** Schema of {@link SessionRecord}. */
export const sessionRecordSchema: z.ZodType<SessionRecord> = exactly({
  id,
  parentId: id,
  name,
  createdAt,
  record,
  profiles: storedProfilesSchema,
  shown: anyKeys.exactOptional(),
  endedAt: z.exactOptional(millisecondsSchema),
  duration: amountSchema
    .max(longestSession, `a number of seconds up to ${longestSession}`)
    .exactOptional(),
  recordingStatus: recordingStatusSchema.exactOptional(),
  livePosition: exactly({
    previousId: id,
    mediaSequence: sequenceNumberSchema,
    discontinuitySequence: sequenceNumberSchema,
  }).exactOptional(),
});

/** Values of a session that has ended, which a test adds to a world. */
export interface NewSession {
  /** `id` of the parent stream, which must not be live. */
  parentId: string;
  /** Seconds of media received. */
  duration: number;
  /** When the encoder disconnected, in milliseconds since 1970; default now. */
  endedAt?: number;
  /** Fixes the status of the recording, whatever the clock says. Only possible if the parent is recorded. */
  recordingStatus?: RecordingStatus;
}

const sessionLength = `a number of seconds, above 0 and at most ${longestSession} (31 days)`;

const sessionSeconds = z.number(sessionLength).gt(0).max(longestSession);

/** Schema of the optional body of a request that starts a session. */
export const startSchema = z
  .strictObject(
    {
      duration: sessionSeconds
        .describe('Seconds; with it, the session has already ended and lasted that long')
        .exactOptional(),
    },
    'an object, with or without the key duration',
  )
  .optional();

/** Schema of {@link NewSession}; an unknown key is refused. */
export const newSessionSchema: z.ZodType<NewSession> = exactly({
  parentId: name,
  duration: sessionSeconds,
  endedAt: millisecondsSchema.exactOptional(),
  recordingStatus: recordingStatusSchema.exactOptional(),
});

/** Schema of a fixed status of a recording. */
export const recordingSchema = exactly({ recordingStatus: recordingStatusSchema });
