import type { Effect, RecordingFault } from './effect.ts';

/** The recording fails. */
export type RecordingFailedFault = RecordingFault<'recording-failed'>;

export const recordingFailed: Effect<RecordingFailedFault> = {
  summary: 'The recording of a session that ends fails.',
  sentence: (_, target) => `Fail ${target}`,
  operations: [],
  fields: {},
  recordingStatus: 'failed',
};

/** The recording stays `waiting`. */
export type RecordingWaitingFault = RecordingFault<'recording-waiting'>;

export const recordingWaiting: Effect<RecordingWaitingFault> = {
  summary: 'The recording of a session that ends stays waiting.',
  sentence: (_, target) => `Keep ${target} waiting`,
  operations: [],
  fields: {},
  recordingStatus: 'waiting',
};
