import { resolveDialect } from '../../interface/dialect/resolve.ts';
import { createApp } from '../http/app.ts';
import type { Service, ServiceParts } from '../http/service.ts';
import type { WorldSettings } from '../service/world.ts';
import { createWorlds } from '../stores/open-worlds.ts';
import { type Combination, combineVariants, readVariants } from './combine.ts';
import { createWitness } from './witness.ts';

/**
 * Makes the service of a mock with variants.
 * @param variant their names, joined by `+`
 * @throws RangeError for an unknown variant, and for variants that contradict each other.
 */
export function createVariantService({ store, ...parts }: ServiceParts, variant: string): Service {
  const names = readVariants(variant);
  const combination = combineVariants(names);
  const settings: WorldSettings = {
    ...settingsOf(combination, parts.settings),
    readEvidence: () => witness.readEvidence(),
  };
  const worlds = createWorlds(settings, store);
  const witness = createWitness({
    worlds,
    copiedForms: settings.idForms,
    // With a dialect of its own, too, because records have their keys in another order then.
    parts: { ...parts, settings: settingsOf(combineVariants([]), parts.settings) },
    variants: names.map((name) => {
      const { rewrite, ...alone } = combineVariants([name]);
      return { name, rewrite, settings: settingsOf(alone, parts.settings) };
    }),
  });
  return {
    respond: createApp({
      ...parts,
      settings,
      worlds,
      rewrite: combination.rewrite,
      witness: witness.watch,
    }),
    worlds,
    readEvidence: witness.readEvidence,
  };
}

/**
 * The settings of a mock, changed so that its service behaves like some variants. Exported states are not of another
 * dialect because of them.
 */
export function settingsOf(
  { addTo, options }: Pick<Combination, 'addTo' | 'options'>,
  settings: WorldSettings,
): WorldSettings {
  const ready = addTo(undefined).behaviours?.['time.ready'];
  const { streamIds: stream, sessionIds: session } = options;
  return {
    ...settings,
    dialect: resolveDialect(addTo(settings.dialectFile)),
    recordingDelay: ready ?? settings.recordingDelay,
    idForms: { ...settings.idForms, ...(stream && { stream }), ...(session && { session }) },
  };
}
