import type { VNode } from 'preact';
import { Action } from '../parts/action.tsx';
import { type ListName, lengthen } from './shown.ts';

/** Lengthens a list. The focus goes on to the first of the new rows: the button may be gone. */
export function More({ list: id }: { readonly list: ListName }): VNode {
  const run = async (): Promise<string> => {
    const list = document.getElementById(id);
    const last = list?.lastElementChild;
    await lengthen(id);
    (last?.nextElementSibling ?? last)?.querySelector('button')?.focus();
    return `${list?.childElementCount} are shown.`;
  };
  return <Action run={run}>More {id}</Action>;
}
