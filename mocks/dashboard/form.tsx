import { type ComponentChildren, h, type InputHTMLAttributes, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import { sayOutcome } from './page-state/api.ts';

interface FormProps {
  readonly id: string;
  readonly class?: string;
  /** Sends the form. The page shows the text that it returns, or its error. */
  readonly send: (form: HTMLFormElement) => Promise<string>;
  readonly children: ComponentChildren;
}

/** A form that the browser validates and the page sends. */
export function Form({ id, class: className, send, children }: FormProps): VNode {
  return (
    <form
      id={`${id}-form`}
      class={className}
      onSubmit={(event) => {
        event.preventDefault();
        sayOutcome(send(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}

interface FieldProps extends Omit<InputHTMLAttributes, 'as'> {
  readonly name: string;
  readonly label: string;
  readonly class?: string;
  /** Makes it a text area with this many rows. */
  readonly rows?: number;
  /** Makes it a select: the label of each value. */
  readonly options?: ReadonlyMap<string | number, string>;
}

/** A labelled field of a form. */
export function FormField(props: FieldProps): VNode {
  const { label, class: className = '', options, ...attributes } = props;
  const id = useId();
  const field: object = { autocomplete: 'off', spellcheck: false, ...attributes, id };
  const tag = attributes.rows === undefined ? 'input' : 'textarea';
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      {options === undefined ? (
        h(tag, field)
      ) : (
        <select {...field}>
          {[...options].map(([value, text]) => (
            <option key={value} value={value} selected={value === attributes.defaultValue}>
              {text}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface CheckProps extends Omit<InputHTMLAttributes, 'role'> {
  readonly label: string;
  readonly role?: 'switch';
}

/** A labelled checkbox. */
export function Checkbox({ label, ...attributes }: CheckProps): VNode {
  return (
    <label class="inline check" title={attributes.title}>
      <input type="checkbox" {...(attributes as object)} /> {label}
    </label>
  );
}

/** Options of a select that are labelled by their values. */
export function optionsOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, name]));
}

/** The fields of a form that are filled in. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
