import type { VNode } from 'preact';
import { Action } from './action.tsx';

interface MoreProps {
  /** Id of the list. */
  readonly list: string;
  readonly label: string;
  readonly lengthen: () => Promise<void>;
}

/** Lengthens a list. The focus goes on to the first of the new rows: the button may be gone. */
export function More({ list: id, label, lengthen }: MoreProps): VNode {
  const run = async (): Promise<string> => {
    const list = document.getElementById(id);
    const last = list?.lastElementChild;
    await lengthen();
    (last?.nextElementSibling ?? last)?.querySelector('button')?.focus();
    return `${list?.childElementCount} are shown.`;
  };
  return <Action run={run}>{label}</Action>;
}
