import { type ComponentChildren, h, type InputHTMLAttributes, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { ErrorText, FormContext } from './form.tsx';

interface FieldProps extends Omit<InputHTMLAttributes, 'label' | 'as'> {
  readonly as?: 'input' | 'select' | 'textarea';
  readonly name: string;
  readonly label: string;
  readonly class?: string;
  readonly hint?: string | undefined;
  readonly rows?: number;
  /** The options of a select. */
  readonly children?: ComponentChildren;
}

/** A labelled field of a form, with what is wrong with it. */
export function Field({
  as = 'input',
  label,
  hint,
  class: className = '',
  children,
  ...attributes
}: FieldProps): VNode {
  const { id: form, errors } = useContext(FormContext);
  const id = `${form}-${attributes.name}`;
  const error = errors.value[attributes.name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const aria = { 'aria-describedby': described || undefined, 'aria-invalid': error !== undefined };
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      {h(
        as,
        { autocomplete: 'off', spellcheck: false, ...attributes, ...aria, id } as object,
        children,
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
