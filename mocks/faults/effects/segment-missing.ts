import { jsonResponse } from '../../messages/response.ts';
import type { Effect, RequestFault } from './effect.ts';

/** A media segment is not found: the one of that index, or every one. */
export interface SegmentMissingFault
  extends RequestFault<'segment-missing', 'recordingSegment' | 'liveSegment'> {
  segment?: number;
}

export const segmentMissing: Effect<SegmentMissingFault> = {
  summary: 'A media segment is not found.',
  sentence: ({ segment }, target) =>
    `Lose ${segment === undefined ? 'every segment' : `segment ${segment}`} of ${target}`,
  operations: ['recordingSegment', 'liveSegment'],
  fields: {
    segment: {
      label: 'Segment',
      kind: 'integer',
      what: 'a whole number',
      from: 0,
      placeholder: 'every one',
      describesEffect: true,
    },
  },
  matchesFile: ({ segment }, file) =>
    file !== 'init.mp4' && (segment === undefined || segment === Number.parseInt(file, 10)),
  respond: async () => jsonResponse(404, { errors: ['path: the segment is missing'] }),
};
