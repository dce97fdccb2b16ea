import { html } from 'hono/html';
import type { Report } from '../model/report.ts';
import { sectionsOf } from './report-sections.ts';

const subject = 'livestream interface';
const colours = { pass: '#1a7f37', fail: '#b42318', expected: '#855600' } as const;
/** Average width of a character, in units of the image, in the fonts that it names. */
const characterWidth = 6.6;
const padding = 8;

/** An SVG badge with the headline of a report. */
export function renderBadge(report: Report): string {
  const { headline, mark, subject: target, startedAt, version } = sectionsOf(report);
  const statement = headline.toLowerCase();
  const title = `${subject}: ${statement}, ${target}, ${startedAt.slice(0, 10)}, livestream-mock ${version}`;
  const left = widthOf(subject);
  const right = widthOf(statement);
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <clipPath id="shape"><rect width="${left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#shape)">
    <rect width="${left}" height="20" fill="#3f4650"/>
    <rect x="${left}" width="${right}" height="20" fill="${colours[mark]}"/>
  </g>
  <g fill="#fff" font-family="Verdana, 'DejaVu Sans', Geneva, sans-serif" font-size="11">
    <text x="${padding}" y="14" textLength="${left - 2 * padding}">${subject}</text>
    <text x="${left + padding}" y="14" textLength="${right - 2 * padding}">${statement}</text>
  </g>
</svg>
`);
}

function widthOf(text: string): number {
  return Math.ceil(text.length * characterWidth) + 2 * padding;
}
