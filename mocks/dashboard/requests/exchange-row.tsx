import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { describeFault } from '../../faults/describe.ts';
import type { Exchange } from '../../journal/exchange.ts';
import { pathAndQuery } from '../../journal/filter.ts';
import { Time } from '../parts/time.tsx';
import { faults } from '../state/faults.ts';
import { ExchangeDetails } from './exchange-details.tsx';

/** One request in a line; what was sent and what came back unfolds below it. */
export function ExchangeRow({ exchange }: { readonly exchange: Exchange }): VNode {
  const unfolded = useSignal(false);
  const { at, request, answer, fault } = exchange;
  const unknown = exchange.static ? 'static route' : 'unknown route';
  const isGood = answer.status >= 200 && answer.status < 400;
  return (
    <li>
      <details
        class="exchange"
        onToggle={({ currentTarget }) => {
          unfolded.value ||= currentTarget.open;
        }}
      >
        <summary class="exchange-line">
          <span class={`badge ${isGood ? 'ready' : 'failed'}`}>{answer.status || 'broken'}</span>
          <code>
            {request.method} {pathAndQuery(request.url)}
          </code>
          {fault !== undefined && <FaultMark id={fault} />}
          <span class="quiet">{exchange.operation ?? unknown}</span>
          <Time at={at} exact />
        </summary>
        {unfolded.value && <ExchangeDetails exchange={exchange} />}
      </details>
    </li>
  );
}

/** Says which fault matched the request. */
function FaultMark({ id }: { readonly id: number }): VNode {
  const report = faults.value.value?.find((candidate) => candidate.id === id);
  const title = report === undefined ? `fault ${id}, removed since` : describeFault(report.fault);
  return (
    <span class="badge waiting" title={title}>
      met a fault<span class="hidden">: {title}</span>
    </span>
  );
}
