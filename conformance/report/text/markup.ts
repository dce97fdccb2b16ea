/** A piece of HTML, SVG or XML in which all text is escaped. */
export interface Markup {
  readonly markup: string;
}

/** What a template may hold; `undefined` leaves no trace, a list stands on lines of its own. */
export type MarkupPart = string | number | Markup | readonly Markup[] | undefined;

/**
 * Template tag for HTML, SVG and XML: whatever is not {@link Markup} itself is escaped.
 *
 * @example
 * ```ts
 * markup`<p title="${text}">${text}</p>`;
 * ```
 */
export function markup(texts: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const pieces = texts.map((text, index) => {
    const escaped = text.endsWith('="') ? escapeAttribute : escapeText;
    return index < parts.length ? text + fill(parts[index], escaped) : text;
  });
  return { markup: pieces.join('') };
}

/** Markup that stands in the source code and is not to be escaped. */
export function trusted(text: string): Markup {
  return { markup: text };
}

function fill(part: MarkupPart, escaped: (text: string) => string): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.map((piece) => piece.markup).join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Text for between two tags. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"'\n\t]/g, (character) => entities[character] ?? '');
}
