import type { VNode } from 'preact';
import { Card } from '../parts/card.tsx';
import { Rows } from '../parts/rows.tsx';
import { useSource } from '../state/source.ts';
import { count } from '../state/words.ts';
import { ExchangeRow } from './exchange-row.tsx';
import { exchanges, query, selected } from './exchanges.ts';
import { Follow, RequestFilter } from './request-tools.tsx';

/** What clients have sent and what they got, as it comes. */
export function RequestsView(): VNode {
  const all = useSource(exchanges);
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
