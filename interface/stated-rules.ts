import type { Asked } from './errors.ts';

interface StatedRule {
  readonly errors: readonly string[];
  /** What the suite then fails. */
  readonly requirements: readonly string[];
  /** That it is none: a service must keep it, or may refuse it, but not take another value instead. */
  readonly keep?: 'must' | 'or-refuse';
  /** The value nearest to a limit that the suite sends. */
  readonly sends?: number;
}

const notText = ['null', 'number', 'boolean', 'array', 'object'].map(
  (kind) => `field:name:${kind}`,
);
const notProfiles = [
  ...['text', 'number', 'boolean', 'object'].map((kind) => `field:profiles:${kind}`),
  ...['text', 'number', 'boolean', 'array'].map((kind) => `field:profiles[]:${kind}`),
];
const notBoolean = ['null', 'truth', 'text', 'number', 'array', 'object'].map(
  (kind) => `field:record:${kind}`,
);
const noKeys = ['key:none', 'key:empty'];
const wrongKeys = ['key:scheme', 'key:bare', 'key:wrong'];

/** Numbers of profiles that the suite sends: a service keeps them, or refuses the creation. */
const sentNumbers = Object.entries({
  'bitrate:small': 64_001,
  'bitrate:large': 3_000_000,
  'fps:small': 1,
  'fps:large': 60,
  'width:small': 16,
  'width:large': 1_922,
  'height:small': 16,
  'height:large': 802,
}).map(
  ([limit, sends]): StatedRule => ({
    errors: [`field:profiles[].${limit}`],
    requirements: ['CREATE-4'],
    keep: 'or-refuse',
    sends,
  }),
);

/** What the interface rules out or demands of errors: a service that does otherwise breaks requirements. */
export const statedRules: Readonly<Partial<Record<Asked, readonly StatedRule[]>>> = {
  createStream: [
    { errors: noKeys, requirements: ['AUTH-1'] },
    { errors: wrongKeys, requirements: ['AUTH-4'] },
    { errors: ['field:name:missing'], requirements: ['CREATE-14'] },
    { errors: notText, requirements: ['CREATE-17'] },
    { errors: notProfiles, requirements: ['CREATE-18'] },
    { errors: ['body:malformed', 'body:cut'], requirements: ['CREATE-22'] },
    { errors: ['field:name:characters'], requirements: ['CREATE-3'], keep: 'or-refuse' },
    { errors: ['field:name:large'], requirements: ['CREATE-3'], keep: 'or-refuse', sends: 300 },
    { errors: ['field:profiles[].name:unusual'], requirements: ['CREATE-4'], keep: 'or-refuse' },
    ...sentNumbers,
  ],
  setRecord: [
    { errors: noKeys, requirements: ['AUTH-2'] },
    { errors: wrongKeys, requirements: ['AUTH-5'] },
    { errors: ['key:cut', 'key:extended'], requirements: ['AUTH-8'] },
    { errors: ['field:record:missing'], requirements: ['RECORD-12'] },
    { errors: notBoolean, requirements: ['RECORD-13'] },
    { errors: ['id:unknown', 'id:malformed'], requirements: ['RECORD-14'] },
    { errors: ['id:session'], requirements: ['RECORD-10'] },
  ],
  updateStream: [{ errors: ['field:record:given'], requirements: ['RECORD-16'] }],
  listSessionsOfStream: [
    { errors: noKeys, requirements: ['AUTH-3'] },
    { errors: wrongKeys, requirements: ['AUTH-6'] },
    { errors: ['key:cut', 'key:extended'], requirements: ['AUTH-9'] },
    { errors: ['query:record:given'], requirements: ['LIST-3'], keep: 'must' },
  ],
};
