import { useSignal } from '@preact/signals';
import {
  type ComponentChildren,
  createContext,
  h,
  type InputHTMLAttributes,
  type VNode,
} from 'preact';
import { useContext, useState } from 'preact/hooks';
import { RefusedError, say } from '../state/api.ts';

/** What is wrong with each field, by name. An error that belongs to no field has an empty name. */
type FieldErrors = Readonly<Record<string, string>>;

/** What a field knows about its form; a field may also stand alone. */
const FormContext = createContext<{ readonly id: string; readonly errors: FieldErrors }>({
  id: 'page',
  errors: {},
});

interface FormProps {
  readonly id: string;
  readonly class?: string;
  /** Whether its errors go when the focus leaves it. */
  readonly isBrief?: boolean;
  /** Sends what is filled in; the text that it returns is said when it is done. */
  readonly send: (form: HTMLFormElement) => Promise<string>;
  readonly children: ComponentChildren;
}

/** A form that is sent once at a time and shows each error beside its field. */
export function Form({ id, class: className, isBrief = false, send, children }: FormProps): VNode {
  const [errors, setErrors] = useState<FieldErrors>({});
  const busy = useSignal(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy.value) return;
    const form = event.currentTarget as HTMLFormElement;
    busy.value = true;
    setErrors({});
    await send(form).then(say, (error: Error) => setErrors(placeErrors(error, form)));
    busy.value = false;
  };
  const forget = (event: Event): void => {
    const { name } = event.target as HTMLInputElement;
    setErrors(({ [name]: _, ...others }) => others);
  };
  const leave = (event: FocusEvent): void => {
    const form = event.currentTarget as HTMLFormElement;
    if (isBrief && !form.contains(event.relatedTarget as Node | null)) setErrors({});
  };
  return (
    <FormContext.Provider value={{ id, errors }}>
      <form
        id={`${id}-form`}
        class={className}
        aria-busy={busy.value || undefined}
        onSubmit={submit}
        onInput={forget}
        onFocusOut={leave}
      >
        {children}
        {errors[''] && <ErrorText text={errors['']} />}
      </form>
    </FormContext.Provider>
  );
}

/** Finds the field of each error. */
function placeErrors(error: Error, form: HTMLFormElement): FieldErrors {
  if (!(error instanceof RefusedError)) return { '': error.message };
  const placed: Record<string, string> = {};
  for (const { field, sentence } of error.issues) {
    const name = form.elements.namedItem(field) === null ? '' : field;
    placed[name] = [placed[name], sentence].filter(Boolean).join(' ');
  }
  return placed;
}

interface FieldProps extends Omit<InputHTMLAttributes, 'as'> {
  readonly name: string;
  readonly label: string;
  readonly class?: string;
  readonly hint?: string;
  /** Makes it a text area of so many rows. */
  readonly rows?: number;
  /** Makes it a select: the label of each value. */
  readonly options?: ReadonlyMap<string | number, string>;
}

/** A labelled field of a form, with its error. */
export function FormField(props: FieldProps): VNode {
  const { label, hint, class: className = '', options, ...attributes } = props;
  const form = useContext(FormContext);
  const id = `${form.id}-${attributes.name}`;
  const error = form.errors[attributes.name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const field = {
    autocomplete: 'off',
    spellcheck: false,
    ...attributes,
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error !== undefined,
  };
  const tag = attributes.rows === undefined ? 'input' : 'textarea';
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      {options === undefined ? (
        h(tag, field as object)
      ) : (
        <select {...(field as object)}>
          {[...options].map(([value, text]) => (
            <option key={value} value={value} selected={value === attributes.defaultValue}>
              {text}
            </option>
          ))}
        </select>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${id}-error`} text={error} />}
    </div>
  );
}

interface CheckProps extends Omit<InputHTMLAttributes, 'role'> {
  readonly label: string;
  readonly role?: 'switch';
}

/** A labelled checkbox. */
export function Check({ label, ...attributes }: CheckProps): VNode {
  return (
    <label class="inline check">
      <input type="checkbox" {...(attributes as object)} /> {label}
    </label>
  );
}

/** The options of a select whose values are their own labels. */
export function optionsOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, name]));
}

/** An error beside what it is about. */
export function ErrorText({ id, text }: { id?: string; text: string }): VNode {
  return (
    <p id={id} role="alert" class="error">
      {text}
    </p>
  );
}

/** The fields of a form that are filled in. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
