import { noEvidence, type VariantEvidence } from '../journal/evidence.ts';
import { createWorlds, type Worlds } from '../stores/open-worlds.ts';
import type { Store } from '../stores/store.ts';
import { createApp, type Responder } from './app.ts';
import type { App } from './arrival.ts';

/** What one mock does: it responds to requests, which change its worlds. */
export interface Service {
  readonly respond: Responder;
  readonly worlds: Worlds;
  /** What the variants of the mock have changed so far. */
  readEvidence(): VariantEvidence;
}

/** What a service is made from. */
export interface ServiceParts
  extends Pick<App, 'settings' | 'prefix' | 'mediaOrigin' | 'maxImport'> {
  readonly store: Store | undefined;
}

/** Makes the service of a mock without a variant. */
export function createService({ store, ...parts }: ServiceParts): Service {
  const worlds = createWorlds(parts.settings, store);
  return {
    respond: createApp({ ...parts, worlds, store }),
    worlds,
    readEvidence: () => noEvidence,
  };
}
