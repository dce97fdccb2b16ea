import type { BreakId, Breaks } from '../../interface/breaks.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Question } from './probes/probe.ts';
import { respellings } from './probes/respellings.ts';
import { readySession } from './probes/sessions.ts';
import { plainStream } from './probes/streams.ts';
import { recordUpdate } from './probes/updates.ts';

/** How each break of a stated rule is found out; `undefined` where the target keeps the rule. */
export const breakProbes: { readonly [Id in BreakId]-?: Question<Breaks[Id] | undefined> } = {
  async 'key-spelling'({ ask }) {
    const found = await ask(respellings);
    if (Object.keys(found).length > 0) return found;
    // Only a session shows whether its keys are spelled as stated.
    await ask(readySession);
    return undefined;
  },
  async 'default-profiles'({ ask }) {
    const { profiles } = (await ask(plainStream)).shown;
    const names = Array.isArray(profiles) ? profiles.map((one) => one?.name) : [];
    const isDefault = recommendedProfiles.every(({ name }) => names.includes(name));
    return isDefault ? true : undefined;
  },
  'update-switches-record': async ({ ask }) =>
    (await ask(recordUpdate)).switched ? true : undefined,
};
