import { extname } from 'node:path';
import { visibleJson } from '../../../conformance/model/visible.ts';
import type { Comparison } from '../model/comparison.ts';
import { renderHtml } from './html.ts';

const renderers: Readonly<Record<string, (comparison: Comparison) => string>> = {
  '.json': (comparison) => `${visibleJson(JSON.stringify(comparison, undefined, 2))}\n`,
  '.html': renderHtml,
};

/** Writes a comparison in the format that a file name asks for. @throws TypeError for another one */
export function comparisonRenderer(file: string): (comparison: Comparison) => string {
  const render = renderers[extname(file).toLowerCase()];
  if (render !== undefined) return render;
  const known = Object.keys(renderers).join(' or ');
  throw new TypeError(`${file}: expected a name that ends in ${known}`);
}
