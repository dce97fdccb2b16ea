import * as z from 'zod';
import {
  type Json,
  jsonSchema,
  type LowerLimit,
  lowerLimitSchema,
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RowsOf,
  refusalSchema,
  rowsFor,
  type SilentRow,
  type UpperLimit,
  upperLimitSchema,
} from './silent-row.ts';

/** Fields of a new stream that clients of the field send and the interface does not name. */
export const knownFields = [
  'creatorId',
  'playbackPolicy',
  'userTags',
  'recordingSpec',
  'multistream',
  'pull',
] as const;

export type KnownField = (typeof knownFields)[number];
type ProfileField = (typeof profileFields)[number];
type ShownProfiles = 'empty' | 'absent' | 'null';
type Presence = 'absent' | 'present';

/** What a creation accepts, and what streams and sessions show. */
export type CreationBehaviours = Readonly<
  Record<
    `create.${'unknown-field' | 'profile-field' | `known-field.${KnownField}`}`,
    'kept' | 'dropped' | Refusal
  > &
    Record<'create.record', 'taken' | 'dropped' | Refusal> &
    Record<'create.wrong-record', 'dropped' | Refusal> &
    Record<'create.record-default', boolean> &
    Record<'create.name-length', UpperLimit> &
    Record<
      | `create.${'empty-name' | 'other-characters'}`
      | `create.${'other' | 'equal' | 'source'}-profiles`
      | `profile.${'zero' | 'fraction'}.${ProfileField}`,
      'accepted' | Refusal
    > &
    Record<`profile.smallest.${ProfileField}`, LowerLimit> &
    Record<`profile.largest.${ProfileField}`, UpperLimit> &
    Record<'profiles.omitted', ShownProfiles> &
    Record<'profiles.of-session', 'empty' | 'absent'> &
    Record<'profiles.empty' | 'profiles.null', ShownProfiles | Refusal> &
    Record<'create.location' | 'session.mp4Url', Presence> &
    Record<'stream.record', 'shown' | 'absent'> &
    Record<'stream.further-keys' | 'session.further-keys', Readonly<Record<string, Json>>>
>;

const refused = { status: 422 } as const;
const otherRefusal = { status: 406 } as const;

function furtherFieldRow(
  question: string,
  usual: 'kept' | Refusal,
): SilentRow<'kept' | 'dropped' | Refusal> {
  return {
    clause: '4.1',
    question,
    values: oneOfOrRefusal('kept', 'dropped'),
    default: usual,
    samples: [usual === 'kept' ? refused : 'kept', 'dropped', otherRefusal],
    bounds: [],
  };
}

function acceptedRow(
  question: string,
  usual: 'accepted' | Refusal,
  bounds: readonly string[],
): SilentRow<'accepted' | Refusal> {
  return {
    clause: '8',
    question,
    values: oneOfOrRefusal('accepted'),
    default: usual,
    samples: usual === 'accepted' ? [refused] : ['accepted', otherRefusal],
    bounds,
  };
}

const shownProfiles = oneOf('empty', 'absent', 'null');

/** The keys that the interface documents for streams and sessions: never further keys. */
export const documentedKeys: Readonly<Record<'stream' | 'session', readonly string[]>> = {
  stream: ['id', 'name', 'profiles', 'createdAt', 'streamKey', 'playbackId', 'record'],
  session: [
    'id',
    'parentId',
    'record',
    'recordingStatus',
    'recordingUrl',
    'mp4URL',
    'mp4Url',
    'sourceSegmentsDuration',
    'createdAt',
    'profiles',
  ],
};

/** Schema of further keys; a value stands for all values of its key: its type is what counts. */
function furtherKeysSchema(named: readonly string[]): z.ZodType<Readonly<Record<string, Json>>> {
  const key = z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,60}$/, 'a key of letters, digits, _ and -')
    .refine((given) => !named.includes(given), 'a key that the interface does not name');
  return z.record(key, jsonSchema, 'an object with a sample for each key');
}

const mediaCounts = {
  isActive: false,
  lastSeen: 0,
  sourceSegments: 0,
  transcodedSegments: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedBytes: 0,
};

interface ProfileLadder {
  readonly smallest: readonly [number, number, number, number];
  readonly largest: readonly [number, number, ...number[]];
}

type Ladders = Readonly<
  Record<'name' | 'body' | 'limit', readonly number[]> & Record<ProfileField, ProfileLadder>
>;

const mostWhole = Number.MAX_SAFE_INTEGER;

/**
 * The ladder of each limit: `learn` tries these values, and a dialect's limits lie on them. They are
 * outside what the suite calls usual.
 */
export const ladders: Ladders = {
  name: [100, 255, 1_000, 4_000, 16_000, 64_000],
  body: [16_384, 65_536, 102_400, 262_144, 524_288, 1_048_576],
  limit: [10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000],
  bitrate: {
    smallest: [1, 1_000, 64_000, 250_000],
    largest: [4_000_000, 20_000_000, 100_000_000, 1_000_000_000, mostWhole],
  },
  fps: { smallest: [1, 5, 15, 24], largest: [60, 120, 240, 1_000, mostWhole] },
  width: {
    smallest: [1, 16, 128, 320],
    largest: [1_920, 4_096, 8_192, 65_536, mostWhole],
  },
  height: {
    smallest: [1, 16, 128, 240],
    largest: [1_080, 4_096, 8_192, 65_536, mostWhole],
  },
};

/** The numbers of a profile. */
export const profileFields = ['bitrate', 'fps', 'width', 'height'] as const;

const bounds = ['CREATE-4', 'CREATE-16'];

const profileRows: RowsOf<
  Pick<CreationBehaviours, `profile.${string}` & keyof CreationBehaviours>
> = {
  ...rowsFor('profile.zero', profileFields, (field) =>
    acceptedRow(`Is a profile accepted whose ${field} is 0?`, refused, bounds),
  ),
  ...rowsFor('profile.fraction', profileFields, (field) =>
    acceptedRow(`Is a profile accepted whose ${field} has a fraction?`, refused, bounds),
  ),
  ...rowsFor('profile.smallest', profileFields, (field): SilentRow<LowerLimit> => {
    const [lowest, , second, third] = ladders[field].smallest;
    return {
      clause: '8',
      question: `What is the smallest ${field} of a profile, above 0?`,
      values: lowerLimitSchema,
      default: { atMost: lowest },
      samples: [{ atMost: third, above: second, refusal: refused }],
      bounds,
    };
  }),
  ...rowsFor('profile.largest', profileFields, (field): SilentRow<UpperLimit> => {
    const [first, second] = ladders[field].largest;
    return {
      clause: '8',
      question: `What is the largest ${field} of a profile?`,
      values: upperLimitSchema,
      default: { atLeast: mostWhole },
      samples: [{ atLeast: first, below: second, refusal: refused }],
      bounds,
    };
  }),
};

/** What a creation accepts, and what streams and sessions show. */
export const creationRows: RowsOf<CreationBehaviours> = {
  'create.unknown-field': furtherFieldRow(
    'What becomes of a field of a new stream that nobody knows?',
    refused,
  ),
  ...rowsFor('create.known-field', knownFields, (field) =>
    furtherFieldRow(`What becomes of the field ${field} of a new stream?`, 'kept'),
  ),
  'create.profile-field': furtherFieldRow(
    'What becomes of a field of a profile that nobody knows?',
    refused,
  ),
  'create.record': {
    clause: '4.1',
    question: 'What becomes of record in a creation?',
    values: oneOfOrRefusal('taken', 'dropped'),
    default: 'taken',
    samples: ['dropped', refused],
    bounds: ['CREATE-15'],
    hides: { unless: ['taken'], rows: ['create.wrong-record'] },
  },
  'create.wrong-record': {
    clause: '4.1',
    question: 'What becomes of a record in a creation that is not a boolean?',
    values: oneOfOrRefusal('dropped'),
    default: refused,
    samples: ['dropped', otherRefusal],
    bounds: ['CREATE-15'],
  },
  'create.record-default': {
    clause: '2.1',
    question: 'Is a new stream recorded where record is not given?',
    values: z.boolean('true or false'),
    default: false,
    samples: [true],
    bounds: [],
  },
  'create.name-length': {
    clause: '8',
    question: 'How many characters may a name have?',
    values: upperLimitSchema,
    default: { atLeast: 64_000 },
    samples: [
      { atLeast: 255, below: 1_000, refusal: refused },
      { atLeast: 4_000, below: 16_000, refusal: { status: 413 } },
    ],
    bounds: ['CREATE-3'],
  },
  'create.empty-name': acceptedRow('Is an empty name accepted?', 'accepted', ['CREATE-14']),
  'create.other-characters': acceptedRow('Are names beyond ASCII accepted?', 'accepted', [
    'CREATE-3',
  ]),
  'create.other-profiles': acceptedRow(
    'Are profiles accepted whose names are not 720p, 480p or 360p?',
    'accepted',
    bounds,
  ),
  'create.equal-profiles': acceptedRow(
    'Are two profiles of one name accepted?',
    { status: 400 },
    bounds,
  ),
  'create.source-profiles': acceptedRow(
    'Is a profile with the name "source" accepted?',
    'accepted',
    bounds,
  ),
  ...profileRows,
  'profiles.omitted': {
    clause: '2.1',
    question: 'What does a stream show that was created without profiles?',
    values: shownProfiles,
    default: 'empty',
    samples: ['absent', 'null'],
    bounds: ['CREATE-13'],
  },
  'profiles.of-session': {
    clause: '2.3',
    question: 'What does a session of a stream without profiles show as profiles?',
    values: oneOf('empty', 'absent'),
    default: 'empty',
    samples: ['absent'],
    bounds: ['LIST-10'],
  },
  'profiles.empty': {
    clause: '2.1',
    question: 'What does a stream show that was created with profiles: []?',
    values: z.union([shownProfiles, refusalSchema], 'one of empty, absent, null, or a refusal'),
    default: 'empty',
    samples: ['absent', 'null', refused],
    bounds: [],
  },
  'profiles.null': {
    clause: '2.1',
    question: 'What does a stream show that was created with profiles: null?',
    values: z.union([shownProfiles, refusalSchema], 'one of empty, absent, null, or a refusal'),
    default: refused,
    samples: ['empty', 'absent', 'null', otherRefusal],
    bounds: [],
  },
  'create.location': {
    clause: '4.1',
    question: 'Has the response to a creation a Location header?',
    values: oneOf('absent', 'present'),
    default: 'absent',
    samples: ['present'],
    bounds: [],
  },
  'stream.record': {
    clause: '2.1',
    question: 'Does a stream show record?',
    values: oneOf('shown', 'absent'),
    default: 'shown',
    samples: ['absent'],
    bounds: ['CREATE-15'],
  },
  'stream.further-keys': {
    clause: '2.1',
    question: 'Which further keys does a stream show, with a made-up sample of each?',
    values: furtherKeysSchema(documentedKeys.stream),
    default: {
      kind: 'stream',
      ...mediaCounts,
      sourceSegmentsDuration: 0,
      suspended: false,
      renditions: {},
      userId: 'text',
      createdByTokenName: 'text',
    },
    samples: [{}, { kind: 'stream', isActive: null, region: 'text', tags: [], owner: { id: 0 } }],
    bounds: ['CREATE-2'],
  },
  'session.further-keys': {
    clause: '2.3',
    question: 'Which further keys does a session show, with a made-up sample of each?',
    values: furtherKeysSchema(documentedKeys.session),
    default: { kind: 'session', name: 'text', playbackId: 'text', userId: 'text', ...mediaCounts },
    samples: [{}, { kind: 'session', name: null, thumbnail: 'text', viewers: 0.5 }],
    bounds: ['LIST-1'],
  },
  'session.mp4Url': {
    clause: '2.3',
    question: 'Does a session show mp4Url beside mp4URL?',
    values: oneOf('present', 'absent'),
    default: 'present',
    samples: ['absent'],
    bounds: ['LIST-13'],
  },
};
