import * as z from 'zod';

/**
 * What a generated client reads out of a response: it knows these fields, refuses one of another
 * type, and `null` for any, and passes over the rest. It is written down apart from the mock's own
 * schemas, which it judges.
 */
const profile = z.looseObject({
  name: z.string(),
  width: z.int(),
  height: z.int(),
  bitrate: z.int(),
  fps: z.int(),
  fpsDen: z.int().optional(),
  quality: z.int().optional(),
  gop: z.string().optional(),
  profile: z.enum(['H264Baseline', 'H264Main', 'H264High', 'H264ConstrainedHigh']).optional(),
  encoder: z.literal('H.264').optional(),
});

const shared = {
  id: z.string().optional(),
  name: z.string(),
  kind: z.string().optional(),
  parentId: z.string().optional(),
  playbackId: z.string().optional(),
  userId: z.string().optional(),
  createdAt: z.number().optional(),
  lastSeen: z.number().optional(),
  sourceSegments: z.number().optional(),
  transcodedSegments: z.number().optional(),
  sourceSegmentsDuration: z.number().optional(),
  transcodedSegmentsDuration: z.number().optional(),
  sourceBytes: z.number().optional(),
  transcodedBytes: z.number().optional(),
  record: z.boolean().optional(),
  profiles: z.array(profile).optional(),
} as const;

const streamView = z.looseObject({
  ...shared,
  streamKey: z.string().optional(),
  createdByTokenName: z.string().optional(),
  creatorId: z.looseObject({ type: z.string(), value: z.string() }).optional(),
  isActive: z.boolean().optional(),
  suspended: z.boolean().optional(),
  renditions: z.looseObject({}).optional(),
});

const sessionView = z.looseObject({
  ...shared,
  recordingStatus: z.enum(['waiting', 'ready', 'failed', 'deleted', 'none']).optional(),
  recordingUrl: z.string().optional(),
  mp4Url: z.string().optional(),
});

/** What a client takes the body of a response for. */
export type ViewName = 'stream' | 'session' | 'streams' | 'sessions' | 'refusal';

const views: Readonly<Record<ViewName, z.ZodType>> = {
  stream: streamView,
  session: sessionView,
  streams: z.array(streamView),
  sessions: z.array(sessionView),
  refusal: z.looseObject({ errors: z.array(z.string()).min(1) }),
};

/** What a generated client would refuse in a body, such as `0.profiles.1.fps`; nothing, if all fits. */
export function refusedFields(name: ViewName, body: unknown): string[] {
  const { error } = views[name].safeParse(body);
  const wrong = error?.issues.map(({ path }) => path.join('.')) ?? [];
  return [...new Set([...wrong, ...nulls(body)])];
}

function nulls(value: unknown, path: readonly string[] = []): string[] {
  if (value === null) return [path.join('.')];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, child]) => nulls(child, [...path, key]));
}
