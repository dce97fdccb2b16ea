import { useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes, VNode } from 'preact';
import { announce } from '../state/notice.ts';

interface ActionProps extends Omit<ButtonHTMLAttributes, 'onClick'> {
  /** What is done; the text that it returns is said when it is done. */
  readonly run: () => Promise<string>;
}

/**
 * A button that does something, once at a time. A disabled one would lose the focus, so it only says
 * that it is busy.
 */
export function Action({ run, children, ...attributes }: ActionProps): VNode {
  const busy = useSignal(false);
  const press = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    await announce(run());
    busy.value = false;
  };
  return (
    <button type="button" {...attributes} aria-busy={busy.value || undefined} onClick={press}>
      {children}
    </button>
  );
}
