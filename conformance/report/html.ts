import { html } from 'hono/html';
import type { Report } from '../model/report.ts';
import { style } from './html-style.ts';
import { htmlPage, type Markup } from './page.ts';
import {
  type AreaSection,
  type Cause,
  type ReportFact,
  type Sections,
  type ShownExchange,
  type ShownResult,
  sectionsOf,
} from './sections.ts';

/** A report as one HTML page that needs no other file. */
export function renderHtml(report: Report): string {
  const sections = sectionsOf(report);
  const { headline, areas, failed, blocked } = sections;
  const { leftBehind, suite, target } = sections.report;
  const links = areas.map(({ area, title }) => item(link(`area-${area}`, title)));
  const body = html`<body class="page">
${head(sections)}
${areas.length > 0 && html`<nav aria-label="Areas"><ul>${links}</ul></nav>`}
<main>
${section('failed', 'What failed', list('causes', failed.map(failure)))}
${section('blocked', 'What would complete the run', list('causes', blocked.map(remedy)))}
${areas.map(areaSection)}
${section('left', 'Left behind on the target', list('causes', leftBehind.map(item)))}
</main>
<footer>livestream-mock ${suite}, conformance suite</footer>
</body>`;
  return htmlPage(`${headline}: ${target}`, style, body);
}

/** The verdict, why, and the facts of the run. */
function head({ report, mark, headline, sentence, counts, facts }: Sections): Markup {
  return html`<header class="verdict" data-mark="${mark}">
<p class="name">Conformance report</p>
<h1>${headline}</h1>
<p>${sentence}</p>
<p class="counts">${counts}</p>
${list('reasons', report.reasons.map(item))}
<dl class="facts">${facts.map(term)}</dl>
</header>`;
}

/** A cause of failures: the message, the requirements, their clauses, and the first one's evidence. */
function failure({ mark, sign, words, message, results, clauses, exchanges }: Cause): Markup {
  const broken = results.map(({ id, level, statement }) =>
    item(html`${link(id)} (${level}) ${statement}`),
  );
  return html`<li data-mark="${mark}"><p class="found">${label(sign, `${words}:`)} ${message}</p>
<ul>${broken}</ul>
${list('clauses', clauses.map(item))}
${evidence(exchanges)}</li>`;
}

/** What is blocked, below what would unblock it. */
function remedy({ mark, message, results }: Cause): Markup {
  const links = results.map(({ id }) => html`${link(id)} `);
  return html`<li data-mark="${mark}"><p>${message}</p><p>Blocked: ${links}</p></li>`;
}

function areaSection({ area, title, counts, results }: AreaSection): Markup | undefined {
  const content = html`<p class="quiet">${counts}</p>
<div class="requirements">${results.map(requirement)}</div>`;
  return section(`area-${area}`, title, content);
}

/** A requirement as a part of the page that can be opened; a link to what is inside opens it. */
function requirement(result: ShownResult): Markup {
  const { id, mark, sign, words, level, clause, statement, facts, exchanges } = result;
  return html`
<details class="requirement" data-mark="${mark}">
<summary>${label(sign, words)}
<h3><b>${id}</b> ${statement}</h3>
<span class="meta">${level}, ${clause}</span></summary>
<div class="detail" id="${id}"><dl>${facts.map(term)}</dl>${evidence(exchanges)}</div>
</details>`;
}

/** A mark in words; screen readers skip its sign. */
function label(sign: string, words: string): Markup {
  return html`<span class="mark"><span aria-hidden="true">${sign}</span> ${words}</span>`;
}

/** What was sent and received. */
function evidence(exchanges: readonly ShownExchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const items = exchanges.map(
    ({ title, curl, response, headers, body }) => html`<li class="exchange"><p>${title}</p>
<pre><code>${curl}</code></pre>
<p>Received <b>${response}</b></p>
${block('headers', headers.join('\n'))}${block('body', body)}</li>`,
  );
  return html`<ol class="evidence" aria-label="Requests and responses">${items}</ol>`;
}

function block(kind: string, text: string): Markup | undefined {
  return text === '' ? undefined : html`<pre class="${kind}"><code>${text}</code></pre>`;
}

/** A section of the page, unless it has no content. */
function section(id: string, title: string, content: Markup | undefined): Markup | undefined {
  if (content === undefined) return undefined;
  return html`
<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function list(kind: string, items: readonly Markup[]): Markup | undefined {
  return items.length === 0 ? undefined : html`<ul class="${kind}">${items}</ul>`;
}

function item(content: string | Markup): Markup {
  return html`<li>${content}</li>`;
}

function term([name, text]: ReportFact): Markup {
  return html`<dt>${name}</dt><dd class="${name.toLowerCase()}">${text}</dd>`;
}

function link(id: string, text = id): Markup {
  return html`<a href="#${encodeURIComponent(id)}">${text}</a>`;
}
