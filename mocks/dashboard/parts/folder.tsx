import type { Signal } from '@preact/signals';
import type { ButtonHTMLAttributes, VNode } from 'preact';

interface FolderProps extends ButtonHTMLAttributes {
  readonly open: Signal<boolean>;
}

/** A button that unfolds something, and folds it again. */
export function Folder({ open, ...attributes }: FolderProps): VNode {
  const toggle = (): void => {
    open.value = !open.value;
  };
  return <button type="button" {...attributes} aria-expanded={open.value} onClick={toggle} />;
}
