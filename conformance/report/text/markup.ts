/** A piece of HTML, SVG or XML in which all text is escaped. */
export interface Markup {
  readonly markup: string;
}

/** What a template may hold: `undefined` adds nothing, a list has each item on a line of its own. */
export type MarkupPart = string | number | Markup | readonly Markup[] | undefined;

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

/** Markup from the source code, which is not to be escaped. */
export function trusted(text: string): Markup {
  return { markup: text };
}

function fill(part: MarkupPart, special: RegExp): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeText(part, special);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.map((piece) => piece.markup).join('\n');
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
