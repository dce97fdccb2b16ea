import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { clientOperationNames } from '../../interface/operation-names.ts';
import type { Exchange } from '../journal/exchange.ts';
import { filterExchanges } from '../journal/filter.ts';
import { ExchangeRow } from './exchange.tsx';
import { Button, Card, download } from './parts/controls.tsx';
import { Check, Field, optionsOf } from './parts/form.tsx';
import { Rows } from './parts/rows.tsx';
import type { Api } from './state/api.ts';
import { createSource, worldSignal } from './state/connection.ts';
import { count } from './state/words.ts';

/** How many exchanges the service keeps. */
const journalLength = 1000;

/** The requests of clients and their responses, oldest first. */
const exchanges = createSource<readonly Exchange[]>(
  ['state', 'exchange'],
  async (api, before = []) => {
    const last = before.at(-1);
    if (last === undefined) return load(api);
    // Not by time: a snapshot that is restored puts the clock back.
    const latest = await load(api, last.number);
    const known = latest.findIndex(({ number, at }) => number === last.number && at === last.at);
    // Without the last known one, the journal has been cleared or replaced.
    if (known === -1) return load(api);
    if (known === latest.length - 1) return before;
    return [...before, ...latest.slice(known + 1)].slice(-journalLength);
  },
);

function load(api: Api, from = 0): Promise<Exchange[]> {
  return api.call<Exchange[]>(`GET /_mock/requests?from=${from}`);
}

/** The fields of the filter, by name. */
const filter = signal<Readonly<Record<string, string>>>({});

/** The filter as a query of the control API. */
const query = computed(() => {
  const fields = Object.entries(filter.value).map(([name, text]) => [name, text.trim()]);
  return new URLSearchParams(fields.filter(([, text]) => text !== ''));
});

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
  const isFiltered = query.value.size > 0;
  return (
    <Card id="requests" title="Requests" tools={<Follow />}>
      <RequestFilter />
      <p class="hint" role="status">
        {isFiltered
          ? `${count(found.length, 'request')} of ${all?.length ?? 0}, newest first.`
          : 'The last 1,000 requests of your app, newest first. This page’s own are left out, except what it replays and what its player loads.'}
      </p>
      {all !== undefined && selected.value?.length === 0 && (
        <p>{isFiltered ? 'No request matches this filter.' : 'No request yet.'}</p>
      )}
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

const operations = new Map([['', 'all'], ...optionsOf(clientOperationNames)]);

const statusError = 'Give a status such as 404, or a class such as 4xx.';

/** Selects requests as it is filled in. */
function RequestFilter(): VNode {
  const { search = '', operation = '', status = '', media } = filter.value;
  const error = selected.value ? undefined : statusError;
  const apply = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }): void => {
    filter.value = Object.fromEntries(new FormData(currentTarget)) as Record<string, string>;
  };
  const showAll = (): void => {
    filter.value = {};
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
        value={search}
      />
      <Field
        name="operation"
        label="Operation"
        class="beside"
        options={operations}
        value={operation}
      />
      <Field
        name="status"
        label="Status"
        placeholder="404, 4xx"
        class="beside short"
        value={status}
        error={error}
      />
      <Check label="Without media" name="media" value="0" checked={media === '0'} />
      {query.value.size > 0 && <Button label="Show all" onClick={showAll} />}
    </form>
  );
}
