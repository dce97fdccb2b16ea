import { levels } from '../requirement.ts';
import { head, list, navigation } from './html-head.ts';
import { requirement } from './html-requirement.ts';
import { script, scriptHash } from './html-script.ts';
import { style, styleHash } from './html-style.ts';
import {
  type AreaResults,
  blockages,
  byArea,
  countMarks,
  describeCounts,
  markWords,
} from './marks.ts';
import { type Markup, markup, trusted } from './markup.ts';
import type { Report, Result } from './report.ts';
import { withVisibleStrings } from './visible.ts';
import { areaTitles, headline } from './wording.ts';

/** Nothing is loaded, nothing is sent, and only the page's own style and script count. */
const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  `script-src '${scriptHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A report as one page that needs nothing beside it. */
export function renderHtml(report: Report): string {
  const shown = withVisibleStrings(report);
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
${[...remedies(results), ...byArea(results).map(area), ...observed(results), ...left(leftBehind)]}
</main>
<footer>livestream-mock ${suite}, conformance suite</footer>
${results.length === 0 ? undefined : markup`<script type="module">${trusted(script)}</script>`}
</body>
</html>
`.markup;
}

function filter(results: readonly Result[]): Markup {
  const outcomes = countMarks(results).map(({ mark, count }) => box(mark, markWords[mark], count));
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

function remedies(results: readonly Result[]): Markup[] {
  const items = blockages(results).map(
    (group) => markup`<li><p>${group.remedy}</p>
<p>Blocked: ${group.results.map(({ id }) => link(id))}</p></li>`,
  );
  if (items.length === 0) return [];
  return [
    section(
      'blocked',
      'What would complete the run',
      markup`<ul class="remedies">
${items}
</ul>`,
    ),
  ];
}

function link(id: string): Markup {
  return markup`<a href="#${encodeURIComponent(id)}">${id}</a>`;
}

function section(id: string, title: string, content: Markup): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
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

function observed(results: readonly Result[]): Markup[] {
  const rows = results.flatMap(({ id, observations }) =>
    observations.map((text) => markup`<tr><th scope="row">${link(id)}</th><td>${text}</td></tr>`),
  );
  if (rows.length === 0) return [];
  return [
    section(
      'observed',
      'Observed, not judged',
      markup`<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">What was observed</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`,
    ),
  ];
}

function left(leftBehind: readonly string[]): Markup[] {
  const items = list('left', leftBehind);
  return items === undefined ? [] : [section('left', 'Left behind on the target', items)];
}
