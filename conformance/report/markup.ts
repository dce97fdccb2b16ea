/** A piece of HTML, SVG or XML in which all text is escaped. */
export interface Markup {
  readonly markup: string;
}

/** What a template may hold: `undefined` adds nothing, a list has each item on a line of its own. */
export type MarkupPart = string | number | Markup | readonly (Markup | undefined)[] | undefined;

/**
 * Template tag for HTML, SVG and XML: everything that is not {@link Markup} is escaped.
 *
 * @example
 * ```ts
 * markup`<p title="${text}">${text}</p>`;
 * ```
 */
export function markup(texts: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const pieces = texts.map((text, index) => {
    const special = text.endsWith('="') ? /[&<>"'\n\t]/g : /[&<>"']/g;
    return index < parts.length ? text + fill(parts[index], special) : text;
  });
  return { markup: pieces.join('') };
}

/** An element of XML: its names are from the source code, child elements are on lines of their own. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly (Markup | undefined)[] = [],
): Markup {
  const list = Object.entries(attributes).map(
    ([key, value]) => markup` ${trusted(key)}="${value}"`.markup,
  );
  const start = trusted(name + list.join(''));
  if (typeof content === 'string') return markup`<${start}>${content}</${trusted(name)}>`;
  const children = content.filter((child) => child !== undefined);
  if (children.length === 0) return markup`<${start}/>`;
  return markup`<${start}>\n${children}\n</${trusted(name)}>`;
}

/** Markup from the source code, which is not to be escaped. */
export function trusted(text: string): Markup {
  return { markup: text };
}

function fill(part: MarkupPart, special: RegExp): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeText(part, special);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.flatMap((piece) => piece?.markup ?? []).join('\n');
}

/** XML turns line feeds and tabs in an attribute into spaces unless they are escaped. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escapeText(text: string, special: RegExp): string {
  return text.replace(special, (character) => entities[character] ?? '');
}
