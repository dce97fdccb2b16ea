import type { VNode } from 'preact';
import { Action } from './action.tsx';

interface MoreProps {
  /** Id of the list, which says what it has. */
  readonly list: 'streams' | 'sessions';
  readonly lengthen: () => Promise<void>;
}

/** Lengthens a list. The focus goes on to the first of the new rows: the button may be gone. */
export function More({ list: id, lengthen }: MoreProps): VNode {
  const run = async (): Promise<string> => {
    const list = document.getElementById(id);
    const last = list?.lastElementChild;
    await lengthen();
    (last?.nextElementSibling ?? last)?.querySelector('button')?.focus();
    return `${list?.childElementCount} are shown.`;
  };
  return <Action run={run}>More {id}</Action>;
}
