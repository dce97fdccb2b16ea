import { resolveDialect } from '../../../interface/dialect/resolve.ts';
import { createApp } from '../../http/app.ts';
import type { Service, ServiceParts } from '../../http/service.ts';
import type { WorldSettings } from '../../service/world.ts';
import { createWorlds } from '../../stores/open-worlds.ts';
import type { VariantName } from '../families.ts';
import { variants } from '../variants.ts';
import { type Combination, combineVariants } from './combine.ts';
import { createOtherRecords } from './other-streams.ts';
import { createWitness, type Variation } from './witness.ts';

interface VariantServiceParts extends ServiceParts {
  /** Whether an option of the mock says when a recording is ready. */
  readonly hasOwnDelay: boolean;
}

/**
 * Makes the service of a mock with variants that do not contradict each other. Its evidence says what they change if it is
 * watched.
 */
export function createVariantService(
  { store, hasOwnDelay, ...parts }: VariantServiceParts,
  names: readonly VariantName[],
  isWatched: boolean,
): Service {
  const combination = combineVariants(names);
  const settings: WorldSettings = {
    ...settingsOf(combination, parts.settings, hasOwnDelay),
    readEvidence: () => readEvidence(),
  };
  const worlds = createWorlds(settings, store);
  const witness = createWitness({
    worlds,
    settings,
    parts,
    whole: variationOf(combination, parts.settings, hasOwnDelay),
    without: names.map((name) => {
      const others = combineVariants(names.filter((other) => other !== name));
      const { shownBy } = variants[name];
      return { name, shownBy, ...variationOf(others, parts.settings, hasOwnDelay) };
    }),
  });
  const readEvidence = () => ({ variant: names.join('+'), ...witness.readCounts() });
  return {
    respond: createApp({
      ...parts,
      settings,
      worlds,
      store,
      rewrite: combination.rewrite,
      ...(isWatched && { witness: witness.watch }),
    }),
    worlds,
    readEvidence,
  };
}

function variationOf(
  combination: Combination,
  settings: WorldSettings,
  hasOwnDelay: boolean,
): Variation {
  const ownSettings = settingsOf(combination, settings, hasOwnDelay);
  return { settings: ownSettings, rewrite: combination.rewrite };
}

/**
 * The settings of a mock, changed so that its service behaves like some variants. Exported states are not of another
 * dialect because of them. Whoever says when a recording is ready has set that up, and a variant does not change it.
 */
function settingsOf(
  { addTo, options }: Pick<Combination, 'addTo' | 'options'>,
  settings: WorldSettings,
  hasOwnDelay: boolean,
): WorldSettings {
  const ready = hasOwnDelay ? undefined : addTo(undefined).behaviours?.['time.ready'];
  const { streamIds: stream, sessionIds: session, hasOthers = false } = options;
  return {
    ...settings,
    dialect: resolveDialect(addTo(settings.dialectFile)),
    recordingDelay: ready ?? settings.recordingDelay,
    ...(hasOthers && { others: createOtherRecords(settings.seed) }),
    idForms: { ...settings.idForms, ...(stream && { stream }), ...(session && { session }) },
  };
}
