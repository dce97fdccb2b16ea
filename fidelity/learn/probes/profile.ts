import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { Profile } from '../../../interface/types.ts';

/** A recommended profile, which every service takes. */
export const profile: Profile = recommendedProfiles[0] as Profile;
