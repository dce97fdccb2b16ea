import { effectTargets } from '../faults/effects.ts';
import type { EffectName } from '../faults/fault.ts';
import { create, find, readForm, setText } from './dom.ts';

/** What each effect does, and the fields that it has beside those of all. */
const effects: Readonly<Record<EffectName, { hint: string; fields?: readonly string[] }>> = {
  status: {
    hint: 'The request is refused before it does anything.',
    fields: ['status', 'body', 'retryAfter'],
  },
  delay: { hint: 'The answer waits on the clock of the world.' },
  reset: { hint: 'The connection breaks before the request does anything.' },
  truncate: { hint: 'The request is carried out, and its answer breaks off halfway.' },
  malformed: { hint: 'The request is carried out, and its answer is no JSON.' },
  drip: {
    hint: 'The request is carried out, and its answer trickles.',
    fields: ['bytesPerSecond'],
  },
  'segment-missing': { hint: 'A media segment is not found.', fields: ['segment'] },
  'playlist-endless': { hint: 'The playlist of a recording lacks its end.' },
  'recording-failed': { hint: 'The recording of a session that ends fails.' },
  'recording-waiting': { hint: 'The recording of a session that ends stays waiting.' },
};

const ownFields = Object.values(effects).flatMap(({ fields = [] }) => fields);
/** Fields of effects that meet requests, not recordings. */
const requestFields = ['operation', 'delay'];
const numberFields = new Set([
  'status',
  'retryAfter',
  'bytesPerSecond',
  'segment',
  'times',
  'probability',
]);

/** Has the form show the fields of the effect that is chosen. */
export function prepareFaultForm(form: HTMLFormElement): void {
  const select = find('fault-effect', HTMLSelectElement);
  select.append(...Object.keys(effects).map((name) => create('option', {}, name)));
  const follow = (): void => showFields(form, select.value as EffectName);
  select.addEventListener('change', follow);
  follow();
}

function showFields(form: HTMLFormElement, effect: EffectName): void {
  const { hint, fields = [] } = effects[effect];
  const operations = effectTargets[effect];
  setText(find('fault-hint', HTMLParagraphElement), hint);
  find('fault-operation', HTMLSelectElement).replaceChildren(
    create('option', { value: '' }, 'any'),
    ...operations.map((name) => create('option', {}, name)),
  );
  for (const name of [...ownFields, ...requestFields]) {
    const used = requestFields.includes(name) ? operations.length > 0 : fields.includes(name);
    const field = form.elements.namedItem(name) as HTMLInputElement;
    field.disabled = !used;
    if (field.parentElement !== null) field.parentElement.hidden = !used;
  }
  find('fault-delay', HTMLInputElement).required = effect === 'delay';
}

/** The fault that the form describes; the service checks it. */
export function readFault(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readForm(form)).map(([name, text]) => [name, readField(name, text)]),
  );
}

function readField(name: string, text: string): unknown {
  if (numberFields.has(name)) return Number(text);
  if (name === 'delay') return readDelay(text);
  return name === 'body' ? readBody(text) : text;
}

function readDelay(text: string): unknown {
  const [from, to] = text.split(/\s+to\s+/);
  return to === undefined ? text : { from, to };
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
