import { type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { type ComponentChildren, type Context, createContext, type VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { isAbort } from '../state/api.ts';
import { say } from '../state/notice.ts';
import { Refusal } from '../state/refusal.ts';

/** What is wrong with each field, by name; what is wrong with none of them has an empty name. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormState {
  readonly id: string;
  readonly errors: ReadonlySignal<FieldErrors>;
}

/** What the fields of a form know of it; a field may also stand alone. */
export const FormContext: Context<FormState> = createContext<FormState>({
  id: 'page',
  errors: signal({}),
});

interface FormProps {
  readonly id: string;
  readonly class?: string;
  /** Sends what is filled in; the text that it returns is said when it is done. */
  readonly send: (form: HTMLFormElement) => Promise<string | undefined>;
  readonly children: ComponentChildren;
}

/** A form that is sent once at a time, and that shows each error beside its field. */
export function Form({ id, class: className, send, children }: FormProps): VNode {
  const form = useRef<HTMLFormElement>(null);
  const busy = useSignal(false);
  const errors: Signal<FieldErrors> = useSignal({});
  const state = useMemo(() => ({ id, errors }), [id, errors]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy.value || form.current === null) return;
    busy.value = true;
    errors.value = {};
    await send(form.current)
      .then((text) => text !== undefined && say(text))
      .catch((error: unknown) => {
        if (form.current !== null) errors.value = placeErrors(error, form.current);
      });
    busy.value = false;
  };
  return (
    <FormContext.Provider value={state}>
      <form
        ref={form}
        id={`${id}-form`}
        class={className}
        aria-busy={busy.value || undefined}
        onSubmit={submit}
        onInvalidCapture={(event) => noteInvalid(event, errors)}
        onInput={({ target }) => forget((target as HTMLInputElement).name, errors)}
      >
        {children}
        {errors.value[''] && <ErrorText text={errors.value['']} />}
      </form>
    </FormContext.Provider>
  );
}

/** Shows an error in place of the browser's own bubble, which is soon gone and covers what is below it. */
function noteInvalid(event: Event, errors: Signal<FieldErrors>): void {
  event.preventDefault();
  const field = event.target as HTMLInputElement;
  if (Object.keys(errors.value).length === 0) field.focus();
  errors.value = { ...errors.value, [field.name]: field.validationMessage };
}

function forget(name: string, errors: Signal<FieldErrors>): void {
  const { [name]: _, ...others } = errors.value;
  errors.value = others;
}

interface ErrorTextProps {
  readonly id?: string;
  readonly text: string;
}

/** A sentence beside what it is about. */
export function ErrorText({ id, text }: ErrorTextProps): VNode {
  return (
    <p id={id} role="alert" class="error">
      {text}
    </p>
  );
}

function placeErrors(error: unknown, form: HTMLFormElement): FieldErrors {
  if (isAbort(error)) return {};
  if (!(error instanceof Refusal)) return { '': (error as Error).message };
  const placed: Record<string, string> = {};
  for (const { field, sentence } of error.issues) {
    const name = form.elements.namedItem(field) === null ? '' : field;
    placed[name] = [placed[name], sentence].filter(Boolean).join(' ');
  }
  return placed;
}

/** The fields of a form that are filled in. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
