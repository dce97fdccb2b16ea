import type { Change } from '../state/change.ts';
import type { Store } from './store.ts';

/** A store that keeps JSON in memory, and its watchers. */
export function memoryStore(): Store & { kept: Map<string, string>; tell: () => void } {
  const kept = new Map<string, string>();
  const watchers: (() => void)[] = [];
  const read = (name: string): readonly Change[] => JSON.parse(kept.get(name) ?? '[]');
  return {
    kept,
    tell: () => {
      for (const changed of watchers) changed();
    },
    open: async (name) => read(name),
    async append(name, changes) {
      kept.set(name, JSON.stringify([...read(name), ...changes]));
    },
    async delete(name) {
      kept.delete(name);
    },
    names: async () => [...kept.keys()],
    watch: (_, changed) => void watchers.push(changed),
  };
}
