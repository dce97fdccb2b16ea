import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Exchange } from '../../journal/exchange.ts';
import { filterExchanges } from '../../journal/filter.ts';
import type { Api } from '../state/api.ts';
import { listen } from '../state/connection.ts';
import { createSource, type Source } from '../state/source.ts';

/** Exchanges that the service keeps, and that are shown. */
const journalLength = 1000;

/** What clients have sent and what they got, oldest first. */
export const exchanges: Source<readonly Exchange[]> = createSource(
  ['state', 'exchange'],
  async (api, before = []) => {
    const last = before.at(-1);
    if (last === undefined) return load(api);
    // Not by time: a snapshot that is restored puts the clock back.
    const latest = await load(api, last.number);
    const known = latest.findIndex(({ number, at }) => number === last.number && at === last.at);
    // Without the last one that is known, the journal has been cleared or replaced.
    if (known === -1) return load(api);
    return known === latest.length - 1
      ? before
      : [...before, ...latest.slice(known + 1)].slice(-journalLength);
  },
);

async function load(api: Api, from = 0): Promise<Exchange[]> {
  return (await api.call<Exchange[]>(`GET /_mock/requests?from=${from}`)).body;
}

/** What is filled in to select some of them, by name of the field. */
export const filter: Signal<Readonly<Record<string, string>>> = signal({});

/** The same as the service takes it. */
export const query: ReadonlySignal<URLSearchParams> = computed(() => {
  const filled = Object.entries(filter.value).map(([name, text]) => [name, text.trim()]);
  return new URLSearchParams(filled.filter(([, text]) => text !== ''));
});

/** The exchanges that were there when the list was paused; `undefined` while it follows. */
export const paused: Signal<readonly Exchange[] | undefined> = signal(undefined);

listen({
  left: () => {
    paused.value = undefined;
  },
});

/** The selected exchanges, newest first; `undefined` where the status to select is none. */
export const selected: ReadonlySignal<readonly Exchange[] | undefined> = computed(() => {
  const all = paused.value ?? exchanges.value.value ?? [];
  try {
    return filterExchanges(all, query.value).toReversed();
  } catch {
    return undefined;
  }
});

/** How many have come since the list was paused. */
export const heldBack: ReadonlySignal<number> = computed(() => {
  if (paused.value === undefined) return 0;
  const last = paused.value.at(-1)?.number ?? 0;
  return (exchanges.value.value ?? []).filter(({ number }) => number > last).length;
});
