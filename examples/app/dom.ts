type Child = Node | string;

/** Makes an element. Text is always text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const shown = new WeakMap<Element, string>();

/** Shows records as list items. The item of an unchanged record stays in place and keeps its focus. */
export function showItems<Item>(
  list: HTMLElement,
  records: readonly Item[],
  render: (record: Item) => HTMLLIElement,
): void {
  const before = new Map([...list.children].map((item) => [shown.get(item), item]));
  const items = records.map((record) => {
    const state = JSON.stringify(record);
    const item = before.get(state) ?? render(record);
    shown.set(item, state);
    return item;
  });
  for (const item of before.values()) if (!items.includes(item)) item.remove();
  for (const [index, item] of items.entries()) {
    const there = list.children[index];
    if (there !== item) list.insertBefore(item, there ?? null);
  }
}
