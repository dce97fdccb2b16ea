import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { readCreated } from '../../../conformance/target/operations.ts';
import { ladders, profileFields } from '../../../interface/limit-ladders.ts';
import { knownProfileFields, type ProfileBehaviours } from '../../../interface/silent-profiles.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import type { Profile } from '../../../interface/types.ts';
import { nobodysField, profileFieldValues } from '../questions/inputs.ts';
import { profiledSession, readySession } from '../questions/known-sessions.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
} from '../questions/probe.ts';
import { plainStream, profile, profiledStream, smallestProfile } from '../questions/streams.ts';
import { accepted, create } from './creation.ts';
import { lowerLimit, upperLimit } from './limits.ts';

type Shown = 'empty' | 'absent' | 'null';

/** Whether a new stream shows a further field of its profile. */
function profileFieldFate(field: string, value: unknown): Question<'kept' | 'dropped' | Refusal> {
  return async (context) => {
    const response = await create(context, { profiles: [{ ...profile, [field]: value }] });
    if (!isSuccess(response)) return readRefusal(response);
    const { profiles } = readCreated(response);
    const [first] = Array.isArray(profiles) ? profiles : [];
    return typeof first === 'object' && first !== null && field in first ? 'kept' : 'dropped';
  };
}

/** What is shown as `profiles` where there are none: it tells something only where others are shown. */
async function readProfiles({ ask }: ProbeContext, { profiles }: JsonObject): Promise<Shown> {
  await ask(profiledStream);
  if (profiles === undefined) return 'absent';
  if (profiles === null) return 'null';
  if (Array.isArray(profiles) && profiles.length === 0) return 'empty';
  throw new Inexpressible('profiles: expected [], null or none, as none were given, got others');
}

function shownProfiles(profiles: unknown): Question<Shown | Refusal> {
  return async (context) => {
    const response = await create(context, { profiles });
    return isSuccess(response)
      ? readProfiles(context, readCreated(response))
      : readRefusal(response);
  };
}

const createWith = (field: string, value: number, others: Profile = profile) =>
  accepted({ profiles: [{ ...others, [field]: value }] });

/** Probes of the profiles that a creation accepts, and of what streams and sessions show of them. */
export const profileProbes: ProbesFor<ProfileBehaviours> = {
  'create.profile-field': profileFieldFate('nobodyKnows', nobodysField.nobodyKnows),
  ...probesFor('profile.known-field', knownProfileFields, (field) =>
    profileFieldFate(field, profileFieldValues[field]),
  ),
  'profile.empty-name': accepted({ profiles: [{ ...profile, name: '' }] }),
  'create.other-profiles': accepted({ profiles: [{ ...profile, name: 'tall' }] }),
  'create.equal-profiles': accepted({ profiles: [profile, { ...profile, height: 700 }] }),
  'create.source-profiles': accepted({ profiles: [{ ...profile, name: 'source' }] }),
  ...probesFor('profile.zero', profileFields, (field) => createWith(field, 0)),
  ...probesFor('profile.fraction', profileFields, (field) =>
    createWith(field, profile[field] - 0.5),
  ),
  ...probesFor(
    'profile.smallest',
    profileFields,
    (field) => (context: ProbeContext) =>
      lowerLimit(
        {
          ladder: ladders[field].smallest,
          expected: context.expected(`profile.smallest.${field}`),
        },
        (value) => createWith(field, value, smallestProfile)(context),
      ),
  ),
  ...probesFor(
    'profile.largest',
    profileFields,
    (field) => (context: ProbeContext) =>
      upperLimit(
        {
          ladder: ladders[field].largest,
          expected: context.expected(`profile.largest.${field}`),
        },
        (value) => createWith(field, value)(context),
      ),
  ),
  'profiles.omitted': async (context) =>
    readProfiles(context, (await context.ask(plainStream)).shown),
  async 'profiles.of-session'(context) {
    const shown = await readProfiles(context, (await context.ask(readySession)).shown);
    if (shown === 'absent') await context.ask(profiledSession);
    if (shown !== 'null') return shown;
    throw new Inexpressible('profiles: expected [] or none in a session, got null');
  },
  'profiles.empty': shownProfiles([]),
  'profiles.null': shownProfiles(null),
};
