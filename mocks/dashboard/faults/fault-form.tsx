import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Field as EffectField } from '../../faults/effects/effect.ts';
import { type EffectName, effectNames, effectOf } from '../../faults/effects/effects.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { faultDraft, faults } from '../state/faults.ts';
import { readFault } from './read-fault.ts';

/** The form of a new fault; it has the fields of the effect that is chosen. */
export function FaultForm(): VNode {
  const draft = faultDraft.value;
  const effect = useSignal((draft['effect'] ?? effectNames[0]) as EffectName);
  const { summary, fields, operations, needsDelay = false } = effectOf({ effect: effect.value });
  const send = async (form: HTMLFormElement): Promise<string> => {
    await api.value.call('POST /_mock/faults', readFault(form));
    await faults.refresh();
    return 'Added the fault.';
  };
  return (
    <section class="card" aria-labelledby="add-fault-heading">
      <h2 id="add-fault-heading">New fault</h2>
      <Form id="fault" class="stack" send={send}>
        <Field
          as="select"
          name="effect"
          label="Effect"
          hint={summary}
          value={effect.value}
          onChange={({ currentTarget }) => {
            effect.value = currentTarget.value as EffectName;
          }}
        >
          {effectNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Field>
        {operations.length > 0 && (
          <Field as="select" name="operation" label="Operation">
            <option value="">any</option>
            {operations.map((name) => (
              <option key={name} selected={name === draft['operation']}>
                {name}
              </option>
            ))}
          </Field>
        )}
        {Object.entries(fields).map(([name, field]) => (
          <EffectInput key={name} name={name} field={field} initial={draft[name]} />
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
        <Field name="times" label="Times" class="half" type="number" min="1" placeholder="always" />
        <Field
          name="probability"
          label="Chance, 0 to 1"
          class="half"
          type="number"
          min="0"
          max="1"
          step="any"
          placeholder="1"
        />
        <Field
          name="id"
          label="Identifier in path"
          class="half"
          placeholder="any"
          defaultValue={draft['id']}
        />
        <button type="submit" class="main">
          Add fault
        </button>
      </Form>
    </section>
  );
}

interface EffectInputProps {
  readonly name: string;
  readonly field: EffectField;
  /** What it begins with, where another view has said so. */
  readonly initial: string | undefined;
}

function EffectInput({ name, field, initial = field.initial }: EffectInputProps): VNode {
  const { label, placeholder, required = false } = field;
  const common = { name, label, placeholder, required, defaultValue: initial };
  if (field.kind !== 'integer') return <Field {...common} as="textarea" rows={3} />;
  return <Field {...common} class="half" type="number" min={field.from} max={field.to} />;
}
