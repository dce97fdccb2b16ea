import { computed, type ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { faultSentence } from '../faults/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import { Button, Card, focusCard, RowButtons } from './controls.tsx';
import { FaultForm, faultDraft, valuesOfFault } from './fault-form.tsx';
import { api } from './page-state/api.ts';
import { createSource, type Source } from './page-state/connection.ts';

/** The faults of the world. */
export const faults: Source<FaultReport[]> = createSource(['state', 'faults', 'exchange'], () =>
  api.call<FaultReport[]>('GET /_mock/faults'),
);

/** The faults that can still match. */
export const activeFaults: ReadonlySignal<readonly FaultReport[]> = computed(() =>
  (faults.value ?? []).filter(isActive),
);

function isActive({ fault, matched }: FaultReport): boolean {
  return matched < (fault.times ?? Number.POSITIVE_INFINITY);
}

/** The fault form, and the list of faults. */
export function FaultsView(): VNode {
  const reports = faults.value;
  const removeAll = <Button class="end" label="Remove all faults" run={removeAllFaults} />;
  return (
    <div class="columns list-first">
      {/* A new draft makes a new form, even if its values are the same. */}
      <FaultForm key={faultDraft.value} />
      <Card id="faults" title="Faults" tools={reports?.length ? removeAll : undefined}>
        {reports?.length === 0 && <p>No faults yet.</p>}
        <ul class="rows">
          {reports?.map((report) => (
            <FaultRow key={report.id} report={report} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

async function removeAllFaults(): Promise<string> {
  await api.call('DELETE /_mock/faults');
  focusCard('faults');
  return 'Removed all faults.';
}

function FaultRow({ report }: { readonly report: FaultReport }): VNode {
  const { id, fault, matched } = report;
  const text = faultSentence(fault);
  const remove = async (): Promise<string> => {
    await api.call(`DELETE /_mock/faults/${id}`);
    focusCard('faults');
    return 'Removed the fault.';
  };
  const edit = async (): Promise<string> => {
    faultDraft.value = { values: valuesOfFault(fault), edited: id };
    focusCard('add-fault');
    return 'Change the fault, and save it.';
  };
  return (
    <li class="inline">
      <span>{text}</span>
      <a class="quiet" href={`#requests?fault=${id}`}>
        {describeMatched(matched)}
      </a>
      {!isActive(report) && <span class="badge">used up</span>}
      <RowButtons about={text} actions={{ Edit: edit, Remove: remove }} />
    </li>
  );
}

function describeMatched(matched: number): string {
  if (matched === 0) return 'no match yet';
  return matched === 1 ? 'matched once' : `matched ${matched.toLocaleString()} times`;
}
