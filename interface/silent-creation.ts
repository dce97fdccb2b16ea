import * as z from 'zod';
import { ladders } from './limit-ladders.ts';
import {
  acceptedRow,
  droppedRow,
  furtherFieldRow,
  type Json,
  jsonSchema,
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RowsOf,
  rowsFor,
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
type Presence = 'absent' | 'present';

/** What a creation accepts, and what streams and sessions show. */
export type CreationBehaviours = Readonly<
  Record<`create.${'unknown-field' | `known-field.${KnownField}`}`, 'kept' | 'dropped' | Refusal> &
    Record<'create.record', 'taken' | 'dropped' | Refusal> &
    Record<`create.${'wrong' | 'null'}-record`, 'dropped' | Refusal> &
    Record<'create.record-default', boolean> &
    Record<'create.name-length', UpperLimit> &
    Record<`create.${'empty-name' | 'other-characters'}`, 'accepted' | Refusal> &
    Record<'create.location' | 'session.mp4Url', Presence> &
    Record<'stream.record', 'shown' | 'absent'> &
    Record<'stream.further-keys' | 'session.further-keys', Readonly<Record<string, Json>>>
>;

const refused = { status: 422 } as const;

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

/** What a creation accepts, and what streams and sessions show. */
export const creationRows: RowsOf<CreationBehaviours> = {
  'create.unknown-field': furtherFieldRow(
    'What becomes of an unknown field of a new stream?',
    refused,
  ),
  ...rowsFor('create.known-field', knownFields, (field) =>
    furtherFieldRow(`What becomes of the field ${field} of a new stream?`, 'kept'),
  ),
  'create.record': {
    clause: '4.1',
    question: 'What becomes of record in a creation?',
    values: oneOfOrRefusal('taken', 'dropped'),
    default: 'taken',
    samples: ['dropped', refused],
    bounds: ['CREATE-15'],
    hides: { unless: ['taken'], rows: ['create.wrong-record', 'create.null-record'] },
  },
  'create.wrong-record': droppedRow(
    '4.1',
    'What becomes of a record in a creation that is not a boolean?',
    refused,
    ['CREATE-15'],
  ),
  'create.null-record': droppedRow(
    '4.1',
    'What becomes of a record in a creation that is null?',
    refused,
    ['CREATE-15'],
  ),
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
    question: 'How many characters, counted as Unicode code points, may a name have?',
    values: upperLimitSchema(ladders.name[0]),
    default: { atLeast: 64_000 },
    samples: [
      { atLeast: 64, below: 100, refusal: refused },
      { atLeast: 4_000, below: 16_000, refusal: { status: 413 } },
    ],
    bounds: ['CREATE-3'],
  },
  'create.empty-name': acceptedRow('Is an empty name accepted?', 'accepted', ['CREATE-14']),
  'create.other-characters': acceptedRow('Are names beyond ASCII accepted?', 'accepted', [
    'CREATE-3',
  ]),
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
