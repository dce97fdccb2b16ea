import type { VNode } from 'preact';
import { Action } from './action.tsx';

interface CopyProps {
  /** Which text it copies: `stream key`. */
  readonly name: string;
  readonly text: string;
  /** What is on the button, where that is not "Copy". */
  readonly label?: string;
}

/** A button that copies a text. */
export function Copy({ name, text, label = 'Copy' }: CopyProps): VNode {
  const copy = async (): Promise<string> => {
    if (!isSecureContext) {
      throw new Error(
        'Browsers let a page copy only on localhost and https: select the text instead.',
      );
    }
    await navigator.clipboard.writeText(text);
    return `Copied ${name}.`;
  };
  return (
    <Action class="small" aria-label={`Copy ${name}`} run={copy}>
      {label}
    </Action>
  );
}
