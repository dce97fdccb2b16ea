import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { clientOperationNames } from '../../interface/operation-names.ts';
import type { Exchange } from '../journal/exchange.ts';
import { filterExchanges, isMedia } from '../journal/filter.ts';
import { journalLength } from '../journal/journal.ts';
import { Button, Card, download, focusCard, KeyedFacts } from './controls.tsx';
import { ExchangeRow } from './exchange.tsx';
import { FormField, optionsOf } from './form.tsx';
import { api } from './page-state/api.ts';
import { createSource } from './page-state/connection.ts';
import { addressDetail, baseUrl } from './page-state/page.ts';
import { count } from './page-state/words.ts';
import { OtherWorlds } from './world-switch.tsx';

/** The requests of clients and their responses, oldest first. */
const exchanges = createSource<readonly Exchange[]>(['state', 'exchange'], async (loaded = []) => {
  const load = (from: number) => api.call<Exchange[]>(`GET /_mock/requests?from=${from}`);
  const last = loaded.at(-1);
  if (last === undefined) return load(0);
  // Not by time: restoring a snapshot sets the clock back.
  const latest = await load(last.number);
  const lastIndex = latest.findIndex(({ number, at }) => number === last.number && at === last.at);
  // If the last known exchange is gone, the journal was cleared or replaced.
  if (lastIndex === -1) return load(0);
  if (lastIndex === latest.length - 1) return loaded;
  return [...loaded, ...latest.slice(lastIndex + 1)].slice(-journalLength);
});

/** The filter, as a query of the control API. It is also in the view's URL. */
const query = signal(queryInAddress());

addEventListener('hashchange', () => {
  if (location.hash.startsWith('#requests?')) query.value = queryInAddress();
});

const isFiltered = computed(() => query.value.size > 0);

function queryInAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1]);
}

/** The exchanges that the filter selects, newest first. */
const filteredExchanges = computed(() => {
  try {
    return filterExchanges(exchanges.value ?? [], query.value).toReversed();
  } catch {
    // Someone edited the URL by hand.
    return [];
  }
});

/** The requests of clients and their responses, as they arrive. */
export function RequestsView(): VNode {
  const save = () => download(`/_mock/requests.har?${query.value}`, 'livestream-mock.har');
  const total = exchanges.value?.length;
  const matching = filteredExchanges.value;
  useEffect(() => addressDetail('requests', isFiltered.value ? `?${query.value}` : ''));
  return (
    <Card
      id="requests"
      title="Requests"
      tools={<Button class="end" label="Download HAR" run={save} />}
    >
      {(total !== 0 || isFiltered.value) && <RequestFilter />}
      <p class="hint" role="status">
        {isFiltered.value
          ? `${count(matching.length, 'request')} of ${total ?? 0}, newest first.`
          : 'Your app’s last 1,000 requests, newest first. This page’s own are left out, except those it replays.'}
      </p>
      {total === 0 && <NoRequests />}
      {matching.length === 0 && isFiltered.value && <p>No requests match this filter.</p>}
      <ul id="requests" class="rows">
        {groupMedia(matching).map((group) => (
          <Group key={rowKey(group.at(-1))} group={group} />
        ))}
      </ul>
    </Card>
  );
}

/** What to do if nothing arrives: give the app this address and this key, or show the key that it uses. */
function NoRequests(): VNode {
  return (
    <div class="stack inset">
      <p>No requests yet. Your app needs this address and this key:</p>
      <KeyedFacts
        write={(key) => [
          ['base URL', baseUrl],
          ['API key', key],
        ]}
      />
      <OtherWorlds />
    </div>
  );
}

/** Groups consecutive requests of players. Any other request is its own group. */
function groupMedia(sequence: readonly Exchange[]): readonly Exchange[][] {
  const groups: Exchange[][] = [];
  for (const exchange of sequence) {
    const group = groups.at(-1);
    if (group?.[0] && isMedia(group[0]) && isMedia(exchange)) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups;
}

/** Numbers continue after a reset, but an imported state brings its own. */
function rowKey(exchange: Exchange | undefined): string {
  return `${exchange?.number} ${exchange?.at} ${exchange?.request.url}`;
}

/** One request, or a line that expands to a player's requests. */
function Group({ group }: { readonly group: readonly Exchange[] }): VNode {
  const rows = group.map((exchange) => <ExchangeRow key={rowKey(exchange)} exchange={exchange} />);
  if (!group.every(isMedia)) return <>{rows}</>;
  return (
    <li>
      <details>
        <summary class="quiet">{count(group.length, 'request')} from a player</summary>
        <ul class="rows">{rows}</ul>
      </details>
    </li>
  );
}

const operationOptions = new Map([['', 'all'], ...optionsOf(clientOperationNames)]);

/** Filters the requests while it is being filled in. */
function RequestFilter(): VNode {
  const filled = (name: string) => query.value.get(name) ?? '';
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(query.value);
    if (value === '') next.delete(name);
    else next.set(name, value);
    query.value = next;
  };
  const setFrom = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    set(currentTarget.name, currentTarget.value);
  const chip = (name: string, value: string, label = value) => (
    <Button
      key={value}
      class="small"
      label={label}
      aria-pressed={filled(name) === value}
      onClick={() => set(name, filled(name) === value ? '' : value)}
    />
  );
  const showAll = (): void => {
    query.value = new URLSearchParams();
    focusCard('requests');
  };
  return (
    <div class="inline">
      <FormField
        name="search"
        label="Search"
        placeholder="in path and body"
        class="wide"
        type="search"
        value={filled('search')}
        onInput={setFrom}
      />
      <FormField
        name="operation"
        label="Operation"
        options={operationOptions}
        value={filled('operation')}
        onInput={setFrom}
      />
      <div class="inline">
        {['2xx', '4xx', '5xx'].map((status) => chip('status', status))}
        {chip('fault', 'any', 'faulted')}
      </div>
      {isFiltered.value && <Button label="Show all" onClick={showAll} />}
    </div>
  );
}
