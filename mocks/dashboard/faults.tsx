import { computed, type ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { faultSentence } from '../faults/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import { Button, Card, focusCard, RowButtons } from './controls.tsx';
import { FaultForm, faultDraft, valuesOfFault } from './fault-form.tsx';
import { api } from './page-state/api.ts';
import { createSource } from './page-state/connection.ts';
import { linkedFault } from './page-state/page.ts';

/** The faults of the world. */
const faults = createSource(['state', 'faults', 'exchange'], () =>
  api.call<FaultReport[]>('GET /_mock/faults'),
);

/** The faults that can still match. */
export const activeFaults: ReadonlySignal<readonly FaultReport[]> = computed(() =>
  (faults.value ?? []).filter(isActive),
);

function isActive({ fault, matched }: FaultReport): boolean {
  return matched < (fault.times ?? Number.POSITIVE_INFINITY);
}

/** A fault in words, by its id. */
export function nameFault(id: number): string {
  const report = findFault(id);
  return report === undefined ? 'A fault that was removed' : faultSentence(report.fault);
}

function findFault(id: number): FaultReport | undefined {
  return faults.value?.find((report) => report.id === id);
}

interface FaultLinkProps {
  readonly id: number;
  /** The text of the link. By default, it names the fault. */
  readonly label?: string;
}

/** Leads to the fault that has decided about something. */
export function FaultLink({ id, label }: FaultLinkProps): VNode {
  if (findFault(id) === undefined) return <span class="quiet">by a fault that was removed</span>;
  return (
    <a class="quiet" href={`#faults/${id}`}>
      {label ?? `by the fault “${nameFault(id)}”`}
    </a>
  );
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
  const isLinked = linkedFault.value === String(id);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isLinked]);
  return (
    <li ref={row} class="inline" aria-current={isLinked ? 'true' : undefined}>
      <span>{text}</span>
      <a class="quiet" href={`#requests?fault=${id}`}>
        {describeMatched(matched)}
      </a>
      {!isActive(report) && <span class="badge spent">used up</span>}
      <RowButtons about={text} actions={{ Edit: edit, Remove: remove }} />
    </li>
  );
}

function describeMatched(matched: number): string {
  if (matched === 0) return 'no match yet';
  return matched === 1 ? 'matched once' : `matched ${matched.toLocaleString()} times`;
}
