import type { Report, Result } from '../../model/report.ts';
import { levels } from '../../model/requirement.ts';
import { type AreaResults, byArea, countMarks, describeCounts, marks } from '../text/marks.ts';
import { type Markup, markup, trusted } from '../text/markup.ts';
import { areaTitles, forPeople, headline } from '../text/wording.ts';
import { head, navigation } from './head.ts';
import { requirement } from './requirement.ts';
import { script, scriptHash } from './script.ts';
import { failures, left, observed, remedies } from './sections.ts';
import { style, styleHash } from './style.ts';

/** The page loads nothing, sends nothing, and runs no style or script but its own. */
const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  `script-src '${scriptHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A report as one HTML page that needs no other file. */
export function renderHtml(report: Report): string {
  const shown = forPeople(report);
  const { results, leftBehind, suite, target } = shown;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${headline(shown)}: ${target}</title>
<style>${trusted(style)}</style>
</head>
<body class="page">
${[head(shown), ...(results.length === 0 ? [] : [navigation(results), filter(results)])]}
<main>
${[...failures(results), ...remedies(results), ...byArea(results).map(area), ...observed(results), ...left(leftBehind)]}
</main>
<footer>livestream-mock ${suite}, conformance suite</footer>
${results.length === 0 ? undefined : markup`<script type="module">${trusted(script)}</script>`}
</body>
</html>
`.markup;
}

function filter(results: readonly Result[]): Markup {
  const outcomes = countMarks(results).map(({ mark, count }) =>
    box(mark, marks[mark].words, count),
  );
  const byLevel = levels
    .map((level) => ({ level, count: results.filter((result) => result.level === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => box(level, level, count));
  return markup`<search aria-label="Filter"><div class="filter">
<fieldset><legend>Outcome</legend>
${outcomes}
</fieldset>
<fieldset><legend>Level</legend>
${byLevel}
</fieldset>
<div class="tools" hidden><button type="button">Open all</button> <span role="status"></span></div>
</div></search>`;
}

function box(name: string, label: string, count: number): Markup {
  return markup`<label data-mark="${name}"><input type="checkbox" id="show-${name}" autocomplete="off" checked> ${label} <span class="quiet">${count}</span></label>`;
}

function area({ area, results }: AreaResults): Markup {
  const id = `area-${area}`;
  return markup`<section class="area" aria-labelledby="${id}">
<h2 id="${id}">${areaTitles[area]}</h2>
<p class="quiet">${describeCounts(results)}</p>
<div class="requirements">
${results.map(requirement)}
</div>
</section>`;
}
