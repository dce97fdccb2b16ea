import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** What has the focus in a row of a list that is one stop. */
const stops = 'li > button, summary';

interface RowsProps {
  /** The heading `{id}-heading` takes the focus when the last row is removed. */
  readonly id: string;
  readonly class?: string;
  readonly label?: string;
  /** Whether the list is one stop of the Tab key, and arrow keys move within it. */
  readonly roving?: boolean;
  /** A list item for each row, with a key. */
  readonly children: ComponentChildren;
}

/** A list that the keyboard moves in. When a row with the focus is removed, the next one takes it. */
export function Rows(props: RowsProps): VNode {
  const { id, roving = false, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<{ element: HTMLElement; row: number }>(undefined);
  const stop = useRef<HTMLElement>(undefined);
  const moveStop = (target: HTMLElement | undefined): void => {
    if (stop.current !== undefined) stop.current.tabIndex = -1;
    stop.current = target;
    if (target !== undefined) target.tabIndex = 0;
  };
  useLayoutEffect(() => {
    const { element, row = 0 } = focused.current ?? {};
    if (element === undefined || element.isConnected || !isFocusLost()) return;
    focused.current = undefined;
    const rows = list.current?.children ?? [];
    const next = rows[Math.min(row, rows.length - 1)];
    const beside = next?.querySelector<HTMLElement>('button, summary');
    (beside ?? document.getElementById(`${id}-heading`))?.focus();
  });
  useLayoutEffect(() => {
    if (!roving) return;
    const all = findStops(list.current);
    for (const target of all) if (target !== stop.current) target.tabIndex = -1;
    if (!stop.current?.isConnected) moveStop(all[0]);
  });
  const noteFocus = ({ target }: FocusEvent): void => {
    const element = target as HTMLElement;
    const row = [...(list.current?.children ?? [])].findIndex((one) => one.contains(element));
    focused.current = { element, row };
    if (roving && element.matches(stops)) moveStop(element);
  };
  const move = (event: KeyboardEvent): void => {
    const step = roving ? steps[event.key] : undefined;
    const all = findStops(list.current);
    const at = all.indexOf(event.target as HTMLElement);
    if (step === undefined || at === -1) return;
    event.preventDefault();
    all[step(at, all.length - 1)]?.focus();
  };
  return (
    <ul
      ref={list}
      id={id}
      class={props.class}
      aria-label={props.label}
      aria-describedby={roving ? 'roving-hint' : undefined}
      onFocusIn={noteFocus}
      onKeyDown={move}
    >
      {children}
    </ul>
  );
}

function isFocusLost(): boolean {
  return document.activeElement === document.body;
}

function findStops(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(stops) ?? [])];
}
