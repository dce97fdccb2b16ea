import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { describeFault } from '../faults/describe.ts';
import type { Field as EffectField } from '../faults/effects/effect.ts';
import { type EffectName, effectNames, effectOf } from '../faults/effects/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import { Button, Card } from './parts/controls.tsx';
import { Field, Form, optionsOf, readForm } from './parts/form.tsx';
import { Rows } from './parts/rows.tsx';
import { api, createSource, type Source, worldSignal } from './state/connection.ts';

/** The faults of the world. */
export const faults: Source<FaultReport[]> = createSource(['state', 'faults', 'exchange'], (from) =>
  from.call<FaultReport[]>('GET /_mock/faults'),
);

/** The faults that can still match. */
export const activeFaults: ReadonlySignal<readonly FaultReport[]> = computed(() =>
  (faults.value ?? []).filter(isActive),
);

function isActive({ fault, matched }: FaultReport): boolean {
  return matched < (fault.times ?? Number.POSITIVE_INFINITY);
}

/** What the form of a new fault begins with, by name of the field. Another view may set it. */
export const faultDraft: Signal<Readonly<Record<string, string>>> = worldSignal({});

/** The form of a new fault, and the list of faults. */
export function FaultsView(): VNode {
  const known = faults.value;
  const removeAll = <Button class="end" label="Remove all faults" run={removeAllFaults} />;
  return (
    <div class="columns">
      <FaultForm />
      <Card id="faults" title="Faults" tools={known?.length ? removeAll : undefined}>
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

async function removeAllFaults(): Promise<string> {
  await api.value.call('DELETE /_mock/faults');
  await faults.refresh();
  document.getElementById('faults-heading')?.focus();
  return 'Removed all faults.';
}

function FaultRow({ report }: { readonly report: FaultReport }): VNode {
  const { id, fault, matched } = report;
  const text = describeFault(fault);
  const remove = async (): Promise<string> => {
    await api.value.call(`DELETE /_mock/faults/${id}`);
    await faults.refresh();
    return 'Removed the fault.';
  };
  return (
    <li class="inline">
      <span>{text}</span>
      <span class="quiet">{describeMatched(matched)}</span>
      {!isActive(report) && <span class="badge">used up</span>}
      <Button class="small end" label="Remove" aria-label={`Remove ${text}`} run={remove} />
    </li>
  );
}

function describeMatched(matched: number): string {
  if (matched === 0) return 'no match yet';
  return matched === 1 ? 'matched once' : `matched ${matched.toLocaleString()} times`;
}

/** Which requests a fault matches, beside their operation. */
const scope = [
  { name: 'times', label: 'Times', type: 'number', min: 1, placeholder: 'always' },
  { name: 'probability', label: 'Chance, 0 to 1', type: 'number', min: 0, max: 1, step: 'any' },
  { name: 'id', label: 'Identifier in path', placeholder: 'any' },
] as const;

/** The form of a new fault, with the fields of the chosen effect. */
function FaultForm(): VNode {
  const draft = faultDraft.value;
  const [name, setName] = useState((draft['effect'] ?? effectNames[0]) as EffectName);
  const { summary, fields, operations, needsDelay = false } = effectOf({ effect: name });
  const send = async (form: HTMLFormElement): Promise<string> => {
    await api.value.call('POST /_mock/faults', readFault(form));
    await faults.refresh();
    faultDraft.value = {};
    return 'Added the fault.';
  };
  return (
    <Card id="add-fault" title="New fault">
      <Form id="fault" class="stack" send={send}>
        <Field
          name="effect"
          label="Effect"
          hint={summary}
          value={name}
          options={optionsOf(effectNames)}
          onChange={({ currentTarget }) => setName(currentTarget.value as EffectName)}
        />
        {operations.length > 0 && (
          <Field
            name="operation"
            label="Operation"
            options={new Map([['', 'any'], ...optionsOf(operations)])}
            defaultValue={draft['operation']}
          />
        )}
        {Object.entries(fields).map(([field, row]) => (
          <EffectInput key={field} name={field} field={row} initial={draft[field]} />
        ))}
        {operations.length > 0 && (
          <Field
            name="delay"
            label="Delay"
            class="half"
            placeholder="2s, or 1s to 3s"
            required={needsDelay}
          />
        )}
        {scope.map((row) => (
          <Field key={row.name} {...row} class="half" defaultValue={draft[row.name]} />
        ))}
        <Button type="submit" class="main" label="Add fault" />
      </Form>
    </Card>
  );
}

interface EffectInputProps {
  readonly name: string;
  readonly field: EffectField;
  readonly initial: string | undefined;
}

function EffectInput({ name, field, initial = field.initial }: EffectInputProps): VNode {
  const { label, placeholder, required = false } = field;
  const common = { name, label, placeholder, required, defaultValue: initial };
  if (field.kind !== 'integer') return <Field {...common} rows={3} />;
  return <Field {...common} class="half" type="number" min={field.from} max={field.to} />;
}

/** The fault that the form describes; the service checks it. */
function readFault(form: HTMLFormElement): Record<string, unknown> {
  const entries = Object.entries(readForm(form)).map(([name, text]) => {
    const { type } = form.elements.namedItem(name) as HTMLInputElement;
    if (type === 'number') return [name, Number(text)];
    if (type === 'textarea') return [name, readJson(text)];
    return [name, name === 'delay' ? readDelay(text) : text];
  });
  return Object.fromEntries(entries);
}

function readDelay(text: string): unknown {
  const [from, to] = text.split(/\s+to\s+/);
  return to === undefined ? text : { from, to };
}

/** JSON, or else the text itself. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
