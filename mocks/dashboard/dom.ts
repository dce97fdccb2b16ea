/** Makes an element; text is only ever text, never markup. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** The element of the page that has an id. */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`page: expected a ${kind.name} with the id ${id}`);
}

/** Changes a text only where it differs, so that a selection in it survives. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The fields of a form that are filled in. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter(([, value]) => value !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]));
}
