import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Field as EffectField } from '../../faults/effects/effect.ts';
import { type EffectName, effectNames, effectOf } from '../../faults/effects/effects.ts';
import { Card, Submit } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { faultDraft, faults } from '../state/faults.ts';
import { readFault } from './read-fault.ts';

const delay = { name: 'delay', label: 'Delay', placeholder: '2s, or 1s to 3s' } as const;

/** Which requests a fault matches, beside their operation. */
const scope = [
  { name: 'times', label: 'Times', type: 'number', min: 1, placeholder: 'always' },
  { name: 'probability', label: 'Chance, 0 to 1', type: 'number', min: 0, max: 1, step: 'any' },
  { name: 'id', label: 'Identifier in path', placeholder: 'any' },
] as const;

/** The form of a new fault; it has the fields of the effect that is chosen. */
export function FaultForm(): VNode {
  const draft = faultDraft.value;
  const effect = useSignal((draft['effect'] ?? effectNames[0]) as EffectName);
  const { fields, operations, needsDelay = false } = effectOf({ effect: effect.value });
  const send = async (form: HTMLFormElement): Promise<string> => {
    await api.value.call('POST /_mock/faults', readFault(form));
    await faults.refresh();
    faultDraft.value = {};
    return 'Added the fault.';
  };
  return (
    <Card id="add-fault" title="New fault">
      <Form id="fault" class="stack" send={send}>
        <EffectSelect effect={effect} />
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
        {operations.length > 0 && <Field {...delay} class="half" required={needsDelay} />}
        {scope.map((row) => (
          <Field key={row.name} {...row} class="half" defaultValue={draft[row.name]} />
        ))}
        <Submit label="Add fault" isMain />
      </Form>
    </Card>
  );
}

/** Chooses the effect, and says what it does. */
function EffectSelect({ effect }: { readonly effect: Signal<EffectName> }): VNode {
  return (
    <Field
      as="select"
      name="effect"
      label="Effect"
      hint={effectOf({ effect: effect.value }).summary}
      value={effect.value}
      onChange={({ currentTarget }) => {
        effect.value = currentTarget.value as EffectName;
      }}
    >
      {effectNames.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Field>
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
