type Child = Node | string;

/** Makes an element. Text is always text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** The record of each item, as JSON. */
const renderedJson = new WeakMap<Element, string>();

/** Shows records as list items. The item of an unchanged record stays in place and keeps its focus. */
export function showItems<Item>(
  list: HTMLElement,
  records: readonly Item[],
  render: (record: Item) => HTMLLIElement,
): void {
  const before = new Map([...list.children].map((item) => [renderedJson.get(item), item]));
  const items = records.map((record) => {
    const json = JSON.stringify(record);
    const item = before.get(json) ?? render(record);
    renderedJson.set(item, json);
    return item;
  });
  for (const item of before.values()) if (!items.includes(item)) item.remove();
  for (const [index, item] of items.entries()) {
    const current = list.children[index];
    if (current !== item) list.insertBefore(item, current ?? null);
  }
}
