import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { clientOperationNames } from '../../interface/operation-names.ts';
import type { Exchange } from '../journal/exchange.ts';
import { filterExchanges } from '../journal/filter.ts';
import { ExchangeRow } from './exchange.tsx';
import { Button, Card, download } from './parts/controls.tsx';
import { curlLine, KeyedFacts, type Lines } from './parts/facts.tsx';
import { Check, Field, optionsOf, readForm } from './parts/form.tsx';
import { Rows } from './parts/rows.tsx';
import { createSource, worldSignal } from './state/connection.ts';
import { addressDetail, prefix } from './state/page.ts';
import { count } from './state/words.ts';

/** How many exchanges the service keeps. */
const journalLength = 1000;

/** The requests of clients and their responses, oldest first. */
const exchanges = createSource<readonly Exchange[]>(
  ['state', 'exchange'],
  async (api, before = []) => {
    const load = (from: number) => api.call<Exchange[]>(`GET /_mock/requests?from=${from}`);
    const last = before.at(-1);
    if (last === undefined) return load(0);
    // Not by time: a snapshot that is restored puts the clock back.
    const latest = await load(last.number);
    const known = latest.findIndex(({ number, at }) => number === last.number && at === last.at);
    // Without the last known one, the journal has been cleared or replaced.
    if (known === -1) return load(0);
    if (known === latest.length - 1) return before;
    return [...before, ...latest.slice(known + 1)].slice(-journalLength);
  },
);

/** The filter, as a query of the control API. The address of the view has it too. */
const query = signal(queryInAddress());

addEventListener('hashchange', () => {
  if (location.hash.startsWith('#requests?')) query.value = queryInAddress();
});

const isFiltered = computed(() => String(query.value) !== 'media=0');

/** By default what players fetch is left out. */
function queryInAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1] ?? 'media=0');
}

/** The exchanges at the moment the list was paused; `undefined` while it follows. */
const paused = worldSignal<readonly Exchange[] | undefined>(undefined);

/** The exchanges that the filter selects, newest first; `undefined` if its status is malformed. */
const selected = computed(() => {
  const all = paused.value ?? exchanges.value ?? [];
  try {
    return filterExchanges(all, query.value).toReversed();
  } catch {
    return undefined;
  }
});

/** How many have arrived since the list was paused. */
const heldBack = computed(() => {
  if (paused.value === undefined) return 0;
  const last = paused.value.at(-1)?.number ?? 0;
  return (exchanges.value ?? []).filter(({ number }) => number > last).length;
});

/** The requests of clients and their responses, as they arrive. */
export function RequestsView(): VNode {
  const all = exchanges.value;
  const found = selected.value ?? [];
  useEffect(() => addressDetail('requests', isFiltered.value ? `?${query.value}` : ''));
  return (
    <Card id="requests" title="Requests" tools={<Follow />}>
      <RequestFilter />
      <p class="hint" role="status">
        {isFiltered
          ? `${count(found.length, 'request')} of ${all?.length ?? 0}, newest first.`
          : 'The last 1,000 requests of your app, newest first. This page’s own are left out, except those it replays.'}
      </p>
      {all !== undefined && selected.value?.length === 0 && (
        <p>{isFiltered.value ? 'No request matches this filter.' : 'No request yet.'}</p>
      )}
      {all?.length === 0 && <KeyedFacts write={firstRequest} />}
      <Rows id="requests" class="rows" roving>
        {found.map((exchange) => (
          // Numbers go on after a reset, but an imported state brings its own.
          <ExchangeRow
            key={`${exchange.number} ${exchange.at} ${exchange.request.url}`}
            exchange={exchange}
          />
        ))}
      </Rows>
    </Card>
  );
}

const firstRequest = (key: string): Lines => [['try', curlLine(`GET ${prefix}/stream`, key)]];

/** Follows new requests, or holds them back so that the list stands still; and saves it. */
function Follow(): VNode {
  const isPaused = paused.value !== undefined;
  const toggle = (): void => {
    paused.value = isPaused ? undefined : (exchanges.value ?? []);
  };
  const save = () => download(`/_mock/requests.har?${query.value}`, 'livestream-mock.har');
  return (
    <>
      <Button class="small" label={isPaused ? 'Follow' : 'Pause'} onClick={toggle} />
      <span class={`badge ${isPaused ? 'waiting' : 'ready'}`} role="status">
        {isPaused ? `paused, ${heldBack} new` : 'following'}
      </span>
      <Button class="end" label="Download HAR" run={save} disabled={!selected.value} />
    </>
  );
}

const withoutMedia = new URLSearchParams('media=0');

const operations = new Map([['', 'all'], ...optionsOf(clientOperationNames)]);

/** Selects requests as it is filled in. */
function RequestFilter(): VNode {
  const filled = (name: string) => query.value.get(name) ?? '';
  const error = selected.value ? undefined : 'Give a status such as 404, or a class such as 4xx.';
  const all = exchanges.value ?? [];
  const mediaLabel = `Without media (${all.length - filterExchanges(all, withoutMedia).length})`;
  const apply = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }): void => {
    query.value = new URLSearchParams(readForm(currentTarget));
  };
  const toggle = (name: string, value: string) => (
    <Button
      key={value}
      class="small"
      label={name === 'fault' ? 'faulted' : value}
      aria-pressed={filled(name) === value}
      onClick={() => {
        const next = new URLSearchParams(query.value);
        if (next.get(name) === value) next.delete(name);
        else next.set(name, value);
        query.value = next;
      }}
    />
  );
  const showAll = (): void => {
    query.value = withoutMedia;
    document.getElementById('requests-heading')?.focus();
  };
  return (
    <form
      id="filter-form"
      class="inline"
      onInput={apply}
      onSubmit={(event) => event.preventDefault()}
    >
      <Field
        name="search"
        label="Search in path and body"
        placeholder="Search in path and body"
        class="bare wide"
        type="search"
        value={filled('search')}
      />
      <Field
        name="operation"
        label="Operation"
        class="beside"
        options={operations}
        value={filled('operation')}
      />
      <Field
        name="status"
        label="Status"
        placeholder="404, 4xx"
        class="beside short"
        value={filled('status')}
        error={error}
      />
      <input type="hidden" name="fault" value={filled('fault')} />
      {['2xx', '4xx', '5xx'].map((chip) => toggle('status', chip))}
      {toggle('fault', 'any')}
      <Check label={mediaLabel} name="media" value="0" checked={filled('media') === '0'} />
      {isFiltered.value && <Button label="Show all" onClick={showAll} />}
    </form>
  );
}
