/** How the items of a list are shown. */
export interface KeyedListPlan<Item> {
  readonly list: HTMLElement;
  /** Shown while there is no item. */
  readonly empty: HTMLElement;
  readonly keyOf: (item: Item) => string | number;
  /** Makes the row of an item; the function that it returns brings the row up to date. */
  readonly createRow: (item: Item) => { row: HTMLElement; update?: (item: Item) => void };
  /** Takes the focus when the last row that could is removed. */
  readonly heading: HTMLElement;
}

/**
 * A list that changes in place: a row stays the same element as long as its item is there, so that
 * focus, selection and what is unfolded stay too.
 */
export function createKeyedList<Item>(plan: KeyedListPlan<Item>): (items: readonly Item[]) => void {
  const { list, empty, keyOf, createRow } = plan;
  const rows = new Map<string | number, ReturnType<typeof createRow>>();
  return (items) => {
    const wanted = new Set(items.map(keyOf));
    for (const [key, { row }] of rows) {
      if (wanted.has(key)) continue;
      rows.delete(key);
      removeRow(row, plan.heading);
    }
    let place = list.firstElementChild;
    for (const item of items) {
      const known = rows.get(keyOf(item));
      const shown = known ?? createRow(item);
      rows.set(keyOf(item), shown);
      shown.update?.(item);
      if (shown.row === place) place = place.nextElementSibling;
      else list.insertBefore(shown.row, place);
    }
    empty.hidden = items.length > 0;
  };
}

/** Removes a row; the focus, if it was there, moves on to the next one. */
function removeRow(row: HTMLElement, heading: HTMLElement): void {
  const hadFocus = row.contains(document.activeElement);
  const beside = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  if (hadFocus) (beside?.querySelector<HTMLElement>('button, summary') ?? heading).focus();
}
