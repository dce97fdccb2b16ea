import { createHash } from 'node:crypto';
import type { Report } from '../model/report.ts';
import { levels } from '../model/requirement.ts';
import { script, style } from './html-assets.ts';
import { type Markup, markup, trusted } from './markup.ts';
import {
  type AreaSection,
  type Cause,
  countMarks,
  type Fact,
  marks,
  pageSections,
  type Sections,
  type ShownExchange,
  type ShownResult,
} from './sections.ts';

/** The page loads nothing, sends nothing, and runs no style or script but its own. */
const policy = [
  "default-src 'none'",
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A report as one HTML page that needs no other file. */
export function renderHtml(report: Report): string {
  const sections = pageSections(report);
  const { headline, results, areas, failed, blocked } = sections;
  const { leftBehind, suite, target } = sections.report;
  const isEmpty = results.length === 0;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${headline}: ${target}</title>
<style>${trusted(style)}</style>
</head>
<body class="page">
${[head(sections), isEmpty ? undefined : controls(sections)]}
<main>
${[
  section('failed', 'What failed', list('causes', failed.map(failure))),
  section('blocked', 'What would complete the run', list('causes', blocked.map(remedy))),
  ...areas.map(areaSection),
  section('observed', 'Observed, not judged', observations(results)),
  section('left', 'Left behind on the target', list('left', leftBehind.map(item))),
]}
</main>
<footer>livestream-mock ${suite}, conformance suite</footer>
${isEmpty ? undefined : markup`<script type="module">${trusted(script)}</script>`}
</body>
</html>
`.markup;
}

/** The verdict, why, and the facts of the run. */
function head({ report, mark, headline, sentence, counts, facts, results }: Sections): Markup {
  return markup`<header class="verdict" data-mark="${mark}">
<p class="name">Conformance report</p>
<h1>${headline}</h1>
<p>${sentence}</p>
<p class="counts">${counts}</p>
${[bar(results), list('reasons', report.reasons.map(item))]}
<dl class="facts">${facts.map(term)}</dl>
</header>`;
}

/** The counts as a bar; it is hidden from screen readers, which read them in words. */
function bar(results: readonly ShownResult[]): Markup {
  let x = 0;
  const parts = countMarks(results).map(({ mark, count }) => {
    x += count;
    return markup`<rect data-mark="${mark}" x="${x - count}" width="${count}" height="1"/>`;
  });
  return markup`<svg class="bar" viewBox="0 0 ${Math.max(x, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Links to the areas, and the filter. */
function controls({ areas, results }: Sections): Markup {
  const links = areas.map(({ area, title }) => item(link(`area-${area}`, title)));
  const byMark = countMarks(results).map(({ mark, count }) => box(mark, marks[mark].words, count));
  const byLevel = levels.map((level) => {
    const count = results.filter((result) => result.level === level).length;
    return count === 0 ? undefined : box(level, level, count);
  });
  return markup`<nav aria-label="Areas"><ul>${links}</ul></nav>
<search aria-label="Filter"><div class="filter">
<fieldset><legend>Outcome</legend>${byMark}</fieldset>
<fieldset><legend>Level</legend>${byLevel}</fieldset>
<div class="tools" hidden><button type="button">Open all</button> <span role="status"></span></div>
</div></search>`;
}

function box(name: string, label: string, count: number): Markup {
  return markup`<label data-mark="${name}"><input type="checkbox" id="show-${name}" autocomplete="off" checked> ${label} <span class="quiet">${count}</span></label>`;
}

/** A cause of failures: the message, the requirements, their clauses, and the first one's evidence. */
function failure({ mark, sign, words, message, results, clauses, exchanges }: Cause): Markup {
  const broken = results.map(({ id, level, statement }) =>
    item(markup`${link(id)} (${level}) ${statement}`),
  );
  return markup`<li data-mark="${mark}"><p class="found">${label(sign, `${words}:`)} ${message}</p>
<ul>${broken}</ul>
${[list('clauses', clauses.map(item)), evidence(exchanges)]}</li>`;
}

/** What is blocked, below what would unblock it. */
function remedy({ mark, message, results }: Cause): Markup {
  const links = results.map(({ id }) => link(id));
  return markup`<li data-mark="${mark}"><p>${message}</p><p>Blocked: ${links}</p></li>`;
}

function areaSection({ area, title, counts, results }: AreaSection): Markup | undefined {
  const content = markup`<p class="quiet">${counts}</p>
<div class="requirements">
${results.map(requirement)}
</div>`;
  return section(`area-${area}`, title, content);
}

/** A requirement as a part of the page that can be opened. */
function requirement(result: ShownResult): Markup {
  const { id, mark, sign, words, level, clause, statement, facts, exchanges } = result;
  return markup`<details class="requirement" id="${id}" data-mark="${mark}" data-level="${level}">
<summary>${label(sign, words)}
<h3><b>${id}</b> ${statement}</h3>
<span class="meta">${level}, ${clause}</span></summary>
<div class="detail"><dl>${facts.map(term)}</dl>${evidence(exchanges)}</div>
</details>`;
}

/** A mark in words; screen readers skip its sign. */
function label(sign: string, words: string): Markup {
  return markup`<span class="mark"><span aria-hidden="true">${sign}</span> ${words}</span>`;
}

/** What was sent and received. */
function evidence(exchanges: readonly ShownExchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  return markup`
<ol class="evidence" aria-label="Requests and responses">${exchanges.map(exchangeItem)}</ol>`;
}

function exchangeItem({ title, curl, response, headers, body }: ShownExchange): Markup {
  return markup`<li class="exchange"><p>${title}</p>
<pre><code>${curl}</code></pre>
<p>Received <b>${response}</b></p>
${[block('headers', headers.join('\n')), block('body', body)]}</li>`;
}

function block(kind: string, text: string): Markup | undefined {
  return text === '' ? undefined : markup`<pre class="${kind}"><code>${text}</code></pre>`;
}

function observations(results: readonly ShownResult[]): Markup | undefined {
  const rows = results.flatMap(({ id, observations }) =>
    observations.map((text) => markup`<tr><th scope="row">${link(id)}</th><td>${text}</td></tr>`),
  );
  if (rows.length === 0) return undefined;
  return markup`<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">What was observed</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
}

/** A section of the page, unless it has no content. */
function section(id: string, title: string, content: Markup | undefined): Markup | undefined {
  if (content === undefined) return undefined;
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function list(kind: string, items: readonly Markup[]): Markup | undefined {
  return items.length === 0 ? undefined : markup`<ul class="${kind}">\n${items}\n</ul>`;
}

function item(content: string | Markup): Markup {
  return markup`<li>${content}</li>`;
}

function term([name, text]: Fact): Markup {
  return markup`<dt>${name}</dt><dd class="${name.toLowerCase()}">${text}</dd>`;
}

function link(id: string, text = id): Markup {
  return markup`<a href="#${encodeURIComponent(id)}">${text}</a>`;
}
