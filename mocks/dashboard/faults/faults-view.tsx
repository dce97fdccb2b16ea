import type { VNode } from 'preact';
import { describeFault } from '../../faults/describe.ts';
import type { FaultReport } from '../../faults/fault.ts';
import { Action } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { Rows } from '../parts/rows.tsx';
import { api } from '../state/connection.ts';
import { faults, isActive } from '../state/faults.ts';
import { useSource } from '../state/source.ts';
import { FaultForm } from './fault-form.tsx';

/** The form of a new fault, and the faults that there are. */
export function FaultsView(): VNode {
  const known = useSource(faults);
  return (
    <div class="columns">
      <FaultForm />
      <Card id="faults" title="Faults" tools={known?.length ? removeAllButton : undefined}>
        {known?.length === 0 && <p>No fault yet.</p>}
        <Rows id="faults" class="rows">
          {known?.map((report) => (
            <FaultRow key={`${report.id} ${JSON.stringify(report.fault)}`} report={report} />
          ))}
        </Rows>
      </Card>
    </div>
  );
}

const removeAllButton = (
  <Action class="end" run={removeAll}>
    Remove all faults
  </Action>
);

function FaultRow({ report }: { readonly report: FaultReport }): VNode {
  const { id, fault, matched } = report;
  const text = describeFault(fault);
  const remove = async (): Promise<string> => {
    await api.value.call(`DELETE /_mock/faults/${id}`);
    await faults.refresh();
    return 'Removed the fault.';
  };
  return (
    <li>
      <span>{text}</span>
      <span class="quiet">{describeMatched(matched)}</span>
      {!isActive(report) && <span class="badge">used up</span>}
      <Action class="small end" aria-label={`Remove ${text}`} run={remove}>
        Remove
      </Action>
    </li>
  );
}

function describeMatched(matched: number): string {
  if (matched === 0) return 'has matched nothing yet';
  return `has matched ${matched === 1 ? 'once' : `${matched.toLocaleString()} times`}`;
}

async function removeAll(): Promise<string> {
  await api.value.call('DELETE /_mock/faults');
  await faults.refresh();
  document.getElementById('faults-heading')?.focus();
  return 'Removed all faults.';
}
