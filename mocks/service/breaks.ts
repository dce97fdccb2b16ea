import type { Breaks } from '../../interface/breaks.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import type { Json } from '../../interface/silent-row.ts';
import type { NewStream } from '../../interface/types.ts';
import type { WorldState } from './world.ts';

type View = Record<string, Json | undefined>;

const none: Breaks = {};

/** The stated rules that a caller with these behaviours sees broken; testers see none. */
export function breaksFor(world: WorldState, behaviours: Behaviours): Breaks {
  return behaviours === usualBehaviours ? none : (world.settings.dialect?.breaks ?? none);
}

/** A stream or session whose keys are spelled as the dialect says. */
export function respelled(view: View, breaks: Breaks): View {
  const spellings: Readonly<Record<string, string>> | undefined = breaks['key-spelling'];
  if (spellings === undefined) return view;
  const spelled = (key: string) => (Object.hasOwn(spellings, key) ? spellings[key] : key);
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [spelled(key), value]));
}

/** A new stream with the recommended profiles, where the dialect gives them to one without. */
export function withDefaultProfiles(body: NewStream, breaks: Breaks): NewStream {
  const isLacking = breaks['default-profiles'] === true && body.profiles === undefined;
  return isLacking ? { ...body, profiles: recommendedProfiles } : body;
}

/** The value to which an update switches recording, where the dialect says that it does. */
export function switchByUpdate(body: object, breaks: Breaks): boolean | undefined {
  const { record } = body as { record?: unknown };
  return breaks['update-switches-record'] && typeof record === 'boolean' ? record : undefined;
}
