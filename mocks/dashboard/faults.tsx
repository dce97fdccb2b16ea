import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  delayText,
  type EffectField,
  effectNames,
  effectOf,
  faultSentence,
} from '../faults/effects.ts';
import type { Delay, EffectName, Fault, FaultReport } from '../faults/fault.ts';
import { Button, Card, focusCard, RowButtons } from './controls.tsx';
import { Form, FormField, optionsOf, readForm } from './form.tsx';
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

/** The initial values of the fault form, by field name. Another view may set them. */
export type FaultDraft = Readonly<Record<string, string>>;

export const faultDraft: Signal<FaultDraft> = signal({});

const presets: Readonly<Record<string, FaultDraft>> = {
  'Three server errors': { effect: 'status', status: '503', times: '3' },
  'Slow responses': { effect: 'delay', delay: '2s' },
  'Unreliable network': { effect: 'reset', probability: '0.2' },
  'A recording that fails': { effect: 'recording-failed', times: '1' },
};

/** The fault form, and the list of faults. */
export function FaultsView(): VNode {
  const reports = faults.value;
  const removeAll = <Button class="end" label="Remove all faults" run={removeAllFaults} />;
  return (
    <div class="columns">
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
    await api.call(`DELETE /_mock/faults/${id}`);
    faultDraft.value = draftOfFault(fault);
    focusCard('add-fault');
    return 'Change the fault, and add it again.';
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

/** The form's values for a fault. */
function draftOfFault(fault: Fault): FaultDraft {
  return Object.fromEntries(
    Object.entries(fault).map(([name, value]) => [name, writeValue(name, value)]),
  );
}

function writeValue(name: string, value: unknown): string {
  // Text that looks like other JSON is quoted, so that it stays text.
  if (name === 'body' && typeof value === 'string' && readJsonOrText(value) !== value) {
    return JSON.stringify(value);
  }
  if (name === 'delay') return delayText(value as Delay);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const delayField = { name: 'delay', label: 'Delay', placeholder: '2s, or 1s to 3s' } as const;

/** Which requests a fault matches, apart from their operation. */
const scope = [
  { name: 'times', label: 'Times', type: 'number', min: 1, placeholder: 'always' },
  { name: 'probability', label: 'Probability', type: 'number', min: 0, max: 1, step: 'any' },
  { name: 'id', label: 'Id in path', placeholder: 'any' },
] as const;

/** The fault form, with the fields of the chosen effect. */
function FaultForm(): VNode {
  const draft = faultDraft.value;
  const [name, setName] = useState((draft['effect'] ?? effectNames[0]) as EffectName);
  const { summary, fields, operations, needsDelay = false } = effectOf({ effect: name });
  const fill = (values: FaultDraft): void => {
    faultDraft.value = { ...values };
  };
  const send = async (form: HTMLFormElement): Promise<string> => {
    await api.call('POST /_mock/faults', faultInForm(form));
    fill({});
    return 'Added the fault.';
  };
  return (
    <Card id="add-fault" title="New fault">
      <div class="inline">
        {Object.entries(presets).map(([label, preset]) => (
          <Button key={label} class="small" label={label} onClick={() => fill(preset)} />
        ))}
      </div>
      <Form id="fault" class="stack" send={send}>
        <FormField
          name="effect"
          label="Effect"
          value={name}
          options={optionsOf(effectNames)}
          onChange={({ currentTarget }) => setName(currentTarget.value as EffectName)}
        />
        <p class="hint">{summary}</p>
        {operations.length > 0 && (
          <FormField
            name="operation"
            label="Operation"
            options={new Map([['', 'any'], ...optionsOf(operations)])}
            defaultValue={draft['operation']}
          />
        )}
        {Object.entries(fields).map(([field, row]) => effectInput(field, row, draft[field]))}
        {operations.length > 0 && (
          <FormField
            {...delayField}
            class="half"
            defaultValue={draft['delay']}
            required={needsDelay}
          />
        )}
        {scope.map((row) => (
          <FormField key={row.name} {...row} class="half" defaultValue={draft[row.name]} />
        ))}
        <Button type="submit" class="main" label="Add fault" />
      </Form>
    </Card>
  );
}

/** A field that only the chosen effect has. */
function effectInput(name: string, field: EffectField, initial = field.initial): VNode {
  const required = field.initial !== undefined;
  const common = { key: name, name, label: labelOf(name), required, defaultValue: initial };
  if (field.kind !== 'integer') return <FormField {...common} rows={3} />;
  return <FormField {...common} class="half" type="number" min={field.from} max={field.to} />;
}

/** `bytesPerSecond` as `Bytes per second`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fault that the form describes. The service validates it. */
function faultInForm(form: HTMLFormElement): Record<string, unknown> {
  const entries = Object.entries(readForm(form)).map(([name, text]) => {
    const { type } = form.elements.namedItem(name) as HTMLInputElement;
    if (type === 'number') return [name, Number(text)];
    if (type === 'textarea') return [name, readJsonOrText(text)];
    return [name, name === 'delay' ? readDelay(text) : text];
  });
  return Object.fromEntries(entries);
}

function readDelay(text: string): unknown {
  const [from, to] = text.split(/\s+to\s+/);
  return to === undefined ? text : { from, to };
}

/** The parsed JSON, or the text itself. */
export function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
