import type { Report } from '../model/report.ts';
import { renderBadge } from './badge.ts';
import { renderHtml } from './html/html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** A pure function from a report to the text of a file. */
export type Renderer = (report: Report) => string;

const renderers = {
  '.json': renderJson,
  '.xml': renderJunit,
  '.html': renderHtml,
  '.md': renderMarkdown,
  '.svg': renderBadge,
} as const satisfies Readonly<Record<string, Renderer>>;

/**
 * The renderer for a file, so that a wrong name can be refused before a long run.
 * @throws Error for an extension that no renderer has.
 */
export function rendererFor(fileName: string): Renderer {
  const name = fileName.toLowerCase();
  const found = Object.entries(renderers).find(([extension]) => name.endsWith(extension));
  if (found !== undefined) return found[1];
  const known = Object.keys(renderers).join(', ');
  throw new Error(`${fileName}: expected a file name that ends with one of ${known}`);
}

/**
 * The text of a report file.
 * @throws Error for an extension that no renderer has, or where there is nothing to render, such as
 * a badge for a target that is not conformant.
 */
export function renderFor(fileName: string, report: Report): string {
  return rendererFor(fileName)(report);
}
