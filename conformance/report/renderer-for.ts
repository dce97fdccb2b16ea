import type { Report } from '../model/report.ts';
import { renderBadge } from './badge.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

const renderers = {
  '.json': renderJson,
  '.xml': renderJunit,
  '.html': renderHtml,
  '.md': renderMarkdown,
  '.svg': renderBadge,
} as const satisfies Readonly<Record<string, (report: Report) => string>>;

/**
 * The function that writes a report in the format of a file.
 * @throws TypeError for an extension without a renderer: call this before a long run.
 */
export function rendererFor(fileName: string): (report: Report) => string {
  return byEnding(renderers, fileName);
}

/** The renderer that the ending of a file name asks for. @throws TypeError for another ending */
export function byEnding<Renderer>(
  renderers: Readonly<Record<string, Renderer>>,
  fileName: string,
): Renderer {
  const name = fileName.toLowerCase();
  const renderer = Object.entries(renderers).find(([ending]) => name.endsWith(ending));
  if (renderer !== undefined) return renderer[1];
  const endings = Object.keys(renderers).join(', ');
  throw new TypeError(`${fileName}: expected a file name that ends with one of ${endings}`);
}
