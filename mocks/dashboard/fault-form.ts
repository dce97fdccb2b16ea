import type { Field } from '../faults/effects/effect.ts';
import { type EffectName, effectNames, effectOf } from '../faults/effects/effects.ts';
import { create, find, readForm, setText } from './dom.ts';

/** The fields that belong to one effect each. */
const ownFields = Object.entries(
  Object.assign({}, ...effectNames.map((effect) => effectOf({ effect }).fields)) as Record<
    string,
    Field
  >,
);
/** Fields of effects that match requests, not recordings. */
const requestFields = ['operation', 'delay'];

/** Makes the inputs of all effects, and has the form show those of the effect that is chosen. */
export function prepareFaultForm(form: HTMLFormElement): void {
  find('fault-delay', HTMLInputElement).parentElement?.before(...ownFields.map(createField));
  const select = find('fault-effect', HTMLSelectElement);
  select.append(...effectNames.map((name) => create('option', {}, name)));
  const follow = (): void => showFields(form, select.value as EffectName);
  select.addEventListener('change', follow);
  follow();
}

function createField([name, field]: readonly [string, Field]): HTMLElement {
  const id = `fault-${name}`;
  const input = field.kind === 'integer' ? createNumberInput(field) : createTextArea();
  const { placeholder = '', initial = '', required = false } = field;
  Object.assign(input, { id, name, placeholder, defaultValue: initial, required });
  const className = field.kind === 'integer' ? 'field half' : 'field';
  return create('div', { className }, create('label', { htmlFor: id }, field.label), input);
}

function createTextArea(): HTMLTextAreaElement {
  return create('textarea', { rows: 3, spellcheck: false });
}

function createNumberInput({ from, to }: Extract<Field, { kind: 'integer' }>): HTMLInputElement {
  return create('input', { type: 'number', min: String(from), max: String(to ?? '') });
}

function showFields(form: HTMLFormElement, effect: EffectName): void {
  const { summary, fields, operations, needsDelay = false } = effectOf({ effect });
  setText(find('fault-hint', HTMLParagraphElement), summary);
  find('fault-operation', HTMLSelectElement).replaceChildren(
    create('option', { value: '' }, 'any'),
    ...operations.map((name) => create('option', {}, name)),
  );
  for (const name of [...ownFields.map(([own]) => own), ...requestFields]) {
    const used = requestFields.includes(name) ? operations.length > 0 : name in fields;
    const field = form.elements.namedItem(name) as HTMLInputElement;
    field.disabled = !used;
    if (field.parentElement !== null) field.parentElement.hidden = !used;
  }
  find('fault-delay', HTMLInputElement).required = needsDelay;
}

/** The fault that the form describes; the service checks it. */
export function readFault(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readForm(form)).map(([name, text]) => {
      const { type } = form.elements.namedItem(name) as HTMLInputElement;
      return [name, type === 'number' ? Number(text) : readText(name, text)];
    }),
  );
}

function readText(name: string, text: string): unknown {
  if (name === 'delay') return readDelay(text);
  return ownFields.some(([own]) => own === name) ? readJson(text) : text;
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
