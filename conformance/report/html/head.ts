import type { Report, Result } from '../../model/report.ts';
import { byArea, countMarks, describeCounts } from '../text/marks.ts';
import { type Markup, markup } from '../text/markup.ts';
import {
  areaTitles,
  describeMode,
  describeTime,
  headline,
  verdictSentence,
} from '../text/wording.ts';

/** The head of the page: the verdict, why, and the facts of the run. */
export function head(report: Report): Markup {
  const { verdict, results, reasons, target } = report;
  return markup`<header class="verdict" data-verdict="${verdict}">
<p class="name">Conformance report</p>
<h1>${headline(report)}</h1>
<p>${verdictSentence(report)}</p>
<p class="counts">${describeCounts(results)}</p>
${bar(results)}${list('reasons', reasons)}
<dl class="facts">
<dt>Target</dt><dd><code>${target}</code></dd>
<dt>Started</dt><dd>${describeTime(report)}</dd>
<dt>Recorded sessions from</dt><dd>${describeMode(report)}</dd>
</dl>
</header>`;
}

/** The counts as a bar; it is hidden from screen readers, which read them in words. */
function bar(results: readonly Result[]): Markup {
  let x = 0;
  const parts = countMarks(results).map(({ mark, count }) => {
    x += count;
    return markup`<rect data-mark="${mark}" x="${x - count}" width="${count}" height="1"/>`;
  });
  return markup`<svg class="bar" viewBox="0 0 ${Math.max(x, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** A list of texts; nothing where there are none. */
export function list(kind: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return markup`
<ul class="${kind}">
${texts.map((text) => markup`<li>${text}</li>`)}
</ul>`;
}

/** Links to the areas. */
export function navigation(results: readonly Result[]): Markup {
  const links = byArea(results).map(
    ({ area }) => markup`<li><a href="#${`area-${area}`}">${areaTitles[area]}</a></li>`,
  );
  return markup`<nav aria-label="Areas"><ul>
${links}
</ul></nav>`;
}
