import { createApp } from '../../http/app.ts';
import type { Service, ServiceParts } from '../../http/service.ts';
import { noEvidence } from '../../journal/evidence.ts';
import type { WorldSettings } from '../../service/world.ts';
import { createWitness } from './witness.ts';

interface DialectServiceParts extends ServiceParts {
  /** The settings of the same mock if its dialect said nothing. */
  readonly withEmptyDialect: Pick<WorldSettings, 'dialectFile' | 'dialect' | 'recordingDelay'>;
}

/** Makes the service of a mock without variants whose evidence says how many responses its dialect has changed. */
export function createDialectService(
  { withEmptyDialect, ...parts }: DialectServiceParts,
  worlds: Service['worlds'],
): Service {
  const { settings } = parts;
  const witness = createWitness({
    worlds,
    settings,
    parts,
    whole: { settings, rewrite: (next) => next },
    without: [
      {
        name: 'dialect',
        settings: { ...settings, ...withEmptyDialect },
        rewrite: (next) => next,
      },
    ],
  });
  return {
    respond: createApp({ ...parts, worlds, witness: witness.watch }),
    worlds,
    readEvidence: () => ({ ...noEvidence, ...witness.readCounts() }),
  };
}
