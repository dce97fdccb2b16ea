import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FaultReport } from '../../faults/fault.ts';
import { listen } from './connection.ts';
import { createSource, type Source } from './source.ts';

/** The faults of the world. */
export const faults: Source<FaultReport[]> = createSource(
  ['state', 'faults', 'exchange'],
  async (api) => (await api.call<FaultReport[]>('GET /_mock/faults')).body,
);

/** The faults that have not matched as often as they may. */
export const activeFaults: ReadonlySignal<readonly FaultReport[]> = computed(() =>
  (faults.value.value ?? []).filter(isActive),
);

/** Whether a fault can still match. */
export function isActive({ fault, matched }: FaultReport): boolean {
  return matched < (fault.times ?? Number.POSITIVE_INFINITY);
}

/** What the form of a new fault begins with, by name of the field. */
export type FaultDraft = Readonly<Record<string, string>>;

/** What another view wants the form of a new fault to begin with. */
export const faultDraft: Signal<FaultDraft> = signal({});

listen({
  left: () => {
    faultDraft.value = {};
  },
});
