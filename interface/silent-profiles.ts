import * as z from 'zod';
import { ladders, mostWhole, profileFields } from './limit-ladders.ts';
import {
  acceptedRow,
  furtherFieldRow,
  type LowerLimit,
  lowerLimitSchema,
  oneOf,
  type Refusal,
  type RowsOf,
  refusalSchema,
  rowsFor,
  type SilentRow,
  type UpperLimit,
  upperLimitSchema,
} from './silent-row.ts';

/** Fields of a profile that clients of the field send and the interface does not name. */
export const knownProfileFields = ['fpsDen', 'quality', 'gop', 'profile', 'encoder'] as const;

type ProfileField = (typeof profileFields)[number];
type ShownProfiles = 'empty' | 'absent' | 'null';

/** Which profiles a creation accepts, and what streams and sessions show of them. */
export type ProfileBehaviours = Readonly<
  Record<
    'create.profile-field' | `profile.known-field.${(typeof knownProfileFields)[number]}`,
    'kept' | 'dropped' | Refusal
  > &
    Record<
      | `create.${'other' | 'equal' | 'source'}-profiles`
      | 'profile.empty-name'
      | `profile.${'zero' | 'fraction'}.${ProfileField}`,
      'accepted' | Refusal
    > &
    Record<`profile.smallest.${ProfileField}`, LowerLimit> &
    Record<`profile.largest.${ProfileField}`, UpperLimit> &
    Record<'profiles.omitted', ShownProfiles> &
    Record<'profiles.of-session', 'empty' | 'absent'> &
    Record<'profiles.empty' | 'profiles.null', ShownProfiles | Refusal>
>;

const refused = { status: 422 } as const;
const otherRefusal = { status: 406 } as const;
const bounds = ['CREATE-4', 'CREATE-16'];

const shownProfiles = oneOf('empty', 'absent', 'null');

/** The rows about the numbers of a profile. */
const numberRows: RowsOf<
  Pick<ProfileBehaviours, `profile.${'zero' | 'fraction' | 'smallest' | 'largest'}.${ProfileField}`>
> = {
  ...rowsFor('profile.zero', profileFields, (field) =>
    acceptedRow(`Is a profile accepted whose ${field} is 0?`, refused, bounds),
  ),
  ...rowsFor('profile.fraction', profileFields, (field) =>
    acceptedRow(`Is a profile accepted whose ${field} has a fraction?`, refused, bounds),
  ),
  ...rowsFor('profile.smallest', profileFields, (field): SilentRow<LowerLimit> => {
    const [lowest, , above, atMost, usual] = ladders[field].smallest;
    return {
      clause: '8',
      question: `What is the smallest ${field} of a profile, above 0?`,
      values: lowerLimitSchema(usual),
      default: { atMost: lowest },
      samples: [{ atMost, above, refusal: refused }],
      bounds,
    };
  }),
  ...rowsFor('profile.largest', profileFields, (field): SilentRow<UpperLimit> => {
    const [usual, atLeast, below] = ladders[field].largest;
    return {
      clause: '8',
      question: `What is the largest ${field} of a profile?`,
      values: upperLimitSchema(usual),
      default: { atLeast: mostWhole },
      samples: [{ atLeast, below, refusal: refused }],
      bounds,
    };
  }),
};

/** Which profiles a creation accepts, and what streams and sessions show of them. */
export const profileRows: RowsOf<ProfileBehaviours> = {
  'create.profile-field': furtherFieldRow(
    'What becomes of an unknown field of a profile?',
    refused,
  ),
  ...rowsFor('profile.known-field', knownProfileFields, (field) =>
    furtherFieldRow(`What becomes of the field ${field} of a profile?`, 'kept'),
  ),
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
  'profile.empty-name': acceptedRow('Is a profile accepted whose name is empty?', 'accepted', []),
  ...numberRows,
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
};
