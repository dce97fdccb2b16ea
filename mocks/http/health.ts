import { version } from '../../package.json' with { type: 'json' };
import { readTime } from '../service/world.ts';
import { countRecords, maxWorlds } from '../state/limits.ts';
import type { Store } from '../stores/store.ts';
import type { App } from './arrival.ts';
import type { Health } from './control/operations.ts';

/** Whether a mock can serve, and how full it is. */
export async function readHealth(app: App): Promise<Health> {
  const { settings, worlds, startedAt } = app;
  const { recordCount } = settings;
  const store = await stateOfStore(app.store);
  return {
    status: store === 'unreachable' ? 'unavailable' : 'ok',
    version,
    uptime: Math.max(0, readTime(settings) - startedAt) / 1000,
    worlds: { count: worlds.opened().length, max: maxWorlds },
    records: { count: countRecords(recordCount), max: recordCount.maxRecords },
    store,
  };
}

async function stateOfStore(store: Store | undefined): Promise<Health['store']> {
  if (store === undefined) return 'none';
  try {
    await store.ping?.();
    return 'reachable';
  } catch {
    return 'unreachable';
  }
}
