import { html } from 'hono/html';
import type { Report } from '../model/report.ts';
import { withVisibleStrings } from '../model/visible.ts';
import { exitStatus } from '../run/verdict.ts';
import { headline } from './wording.ts';

const subject = 'livestream interface';
/** Average width of a character, in units of the image, in the fonts that it names. */
const characterWidth = 6.6;
const padding = 8;

/**
 * An SVG badge that says that the target is conformant.
 * @throws Error where the report does not say so.
 */
export function renderBadge(report: Report): string {
  const { target, suite, startedAt, reasons } = withVisibleStrings(report);
  if (whyNoBadge(report) !== undefined) {
    const why = [`${headline(report)}.`, ...reasons].join(' ');
    throw new Error(`There is a badge only for a target that conforms in all areas. ${why}`);
  }
  const statement = headline(report).toLowerCase();
  const title = `${subject}: ${statement}, ${target}, ${startedAt.slice(0, 10)}, livestream-mock ${suite}`;
  const left = widthOf(subject);
  const right = widthOf(statement);
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <clipPath id="shape"><rect width="${left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#shape)">
    <rect width="${left}" height="20" fill="#3f4650"/>
    <rect x="${left}" width="${right}" height="20" fill="#1a7f37"/>
  </g>
  <g fill="#fff" font-family="Verdana, 'DejaVu Sans', Geneva, sans-serif" font-size="11">
    <text x="${padding}" y="14" textLength="${left - 2 * padding}">${subject}</text>
    <text x="${left + padding}" y="14" textLength="${right - 2 * padding}">${statement}</text>
  </g>
</svg>
`);
}

/** Why a report gets no badge; `undefined` if it says that the target conforms in all areas. */
export function whyNoBadge(report: Report): string | undefined {
  if (exitStatus(report) !== 0) return headline(report);
  const isWhole = report.areas === undefined && report.only === undefined;
  return isWhole ? undefined : 'a badge is only for a run over all areas';
}

function widthOf(text: string): number {
  return Math.ceil(text.length * characterWidth) + 2 * padding;
}
