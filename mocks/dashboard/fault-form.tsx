import { type Signal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { delayText, type EffectField, effectNames, effectOf } from '../faults/effects.ts';
import type { Delay, EffectName, Fault } from '../faults/fault.ts';
import { Button, Card } from './controls.tsx';
import { Form, FormField, optionsOf, readForm } from './form.tsx';
import { api } from './page-state/api.ts';
import { readJsonOrText } from './page-state/words.ts';

/** The values of the fault form, by field name. */
type FaultValues = Readonly<Record<string, string>>;

/** What the fault form begins with. Another view may set it. */
interface FaultDraft {
  readonly values: FaultValues;
  /** The id of the fault that is edited. It stays in effect until the changed one is saved. */
  readonly edited?: number;
}

export const faultDraft: Signal<FaultDraft> = signal({ values: {} });

const faultPresets: Readonly<Record<string, FaultValues>> = {
  'Three server errors': { effect: 'status', status: '503', times: '3' },
  'Slow responses': { effect: 'delay', delay: '2s' },
  'Unreliable network': { effect: 'reset', probability: '0.2' },
  'A recording that fails': { effect: 'recording-failed', times: '1' },
};

/** The form's values for a fault. */
export function valuesOfFault(fault: Fault): FaultValues {
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
const scopeFields = [
  { name: 'times', label: 'Times', type: 'number', min: 1, placeholder: 'always' },
  { name: 'probability', label: 'Probability', type: 'number', min: 0, max: 1, step: 'any' },
  { name: 'id', label: 'Id in path', placeholder: 'any' },
] as const;

/** The fault form, with the fields of the chosen effect. */
export function FaultForm(): VNode {
  const { values: draft, edited } = faultDraft.value;
  const [name, setName] = useState((draft['effect'] ?? effectNames[0]) as EffectName);
  const { summary, fields, operations, needsDelay = false } = effectOf({ effect: name });
  const fill = (values: FaultValues): void => {
    faultDraft.value = { values };
  };
  const send = async (form: HTMLFormElement): Promise<string> => {
    await api.call('POST /_mock/faults', faultInForm(form));
    fill({});
    if (edited === undefined) return 'Added the fault.';
    await api.call(`DELETE /_mock/faults/${edited}`);
    return 'Saved the fault.';
  };
  return (
    <Card id="add-fault" title={edited === undefined ? 'New fault' : 'Edited fault'}>
      <div class="inline">
        {Object.entries(faultPresets).map(([label, preset]) => (
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
        {scopeFields.map((row) => (
          <FormField key={row.name} {...row} class="half" defaultValue={draft[row.name]} />
        ))}
        <Button
          type="submit"
          class="main"
          label={edited === undefined ? 'Add fault' : 'Save fault'}
        />
        {edited !== undefined && <Button label="Cancel editing" onClick={() => fill({})} />}
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
