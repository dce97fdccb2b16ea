import { resolveDialect } from '../../../interface/dialect/resolve.ts';
import { createApp } from '../../http/app.ts';
import type { Service, ServiceParts } from '../../http/service.ts';
import type { WorldSettings } from '../../service/world.ts';
import { createWorlds } from '../../stores/open-worlds.ts';
import type { VariantName } from '../families.ts';
import { type Combination, combineVariants } from './combine.ts';
import { createOtherRecords } from './other-streams.ts';
import { createWitness, type Variation } from './witness.ts';

/** Makes the service of a mock with variants that do not contradict each other. */
export function createVariantService(
  { store, ...parts }: ServiceParts,
  names: readonly VariantName[],
): Service {
  const combination = combineVariants(names);
  const settings: WorldSettings = {
    ...settingsOf(combination, parts.settings),
    readEvidence: () => readEvidence(),
  };
  const worlds = createWorlds(settings, store);
  const witness = createWitness({
    worlds,
    settings,
    parts,
    whole: variationOf(combination, parts.settings),
    without: names.map((name) => {
      const others = combineVariants(names.filter((other) => other !== name));
      return { name, ...variationOf(others, parts.settings) };
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
      witness: witness.watch,
    }),
    worlds,
    readEvidence,
  };
}

function variationOf(combination: Combination, settings: WorldSettings): Variation {
  return { settings: settingsOf(combination, settings), rewrite: combination.rewrite };
}

/**
 * The settings of a mock, changed so that its service behaves like some variants. Exported states are not of another
 * dialect because of them.
 */
function settingsOf(
  { addTo, options }: Pick<Combination, 'addTo' | 'options'>,
  settings: WorldSettings,
): WorldSettings {
  const ready = addTo(undefined).behaviours?.['time.ready'];
  const { streamIds: stream, sessionIds: session, hasOthers = false } = options;
  return {
    ...settings,
    dialect: resolveDialect(addTo(settings.dialectFile)),
    recordingDelay: ready ?? settings.recordingDelay,
    ...(hasOthers && { others: createOtherRecords(settings.seed) }),
    idForms: { ...settings.idForms, ...(stream && { stream }), ...(session && { session }) },
  };
}
