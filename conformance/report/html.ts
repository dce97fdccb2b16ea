import { html } from 'hono/html';
import { howMany } from '../../text/phrases.ts';
import type { Report } from '../model/report.ts';
import { htmlPage, type Markup } from './html-page.ts';
import { sectionsOf } from './report-sections.ts';
import {
  type AreaSection,
  type Cause,
  type CauseList,
  markNames,
  type ReportFact,
  type Sections,
  type WordedExchange,
  type WordedResult,
} from './sections.ts';
import { citedClauses } from './wording.ts';

/** Each mark has its colour. */
const colours = markNames.map((mark) => `[data-mark="${mark}"] { --mark: var(--${mark}); }`);

const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #121519); --card: light-dark(#fff, #1b1f25); --line: light-dark(#d3d8df, #363d47);
  --text: light-dark(#1b1f24, #e6e9ee); --quiet: light-dark(#57606a, #a6b0bc); --link: light-dark(#0b5cad, #86b7ff);
  --pass: light-dark(#1a7f37, #5fca7b); --fail: light-dark(#b42318, #ff8f85); --error: light-dark(#96287f, #f09fe0);
  --expected: light-dark(#855600, #e6b65e); --blocked: light-dark(#1d5fbf, #8fbaff);
  --unmet: var(--expected); --noted: var(--quiet); --untestable: var(--quiet); --untested: var(--quiet); --inapplicable: var(--quiet);
}
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1, p, dl, ul, ol, dd { margin: 0; }
h1, .mark { color: var(--mark); }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.25rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin-top: 1rem; }
dt, .quiet { color: var(--quiet); font-size: .9rem; }
summary { cursor: pointer; }
.areas, .causes, .evidence { padding: 0; list-style: none; }
.causes > li, .requirement, .folded { margin-top: .5rem; padding: .5rem 1rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--mark, var(--line)); border-radius: .375rem; }
.folded .requirement { border-width: 1px 0 0; border-radius: 0; padding: .5rem 0; }
.mark { font-weight: 600; }
dd { grid-column: 2; }
.found { white-space: pre-wrap; }
.detail, .folded dt { scroll-margin-top: 5rem; }
footer { margin-top: 2rem; }
.id { white-space: nowrap; font-weight: 600; }
.evidence { margin-top: .75rem; }
pre { margin: .25rem 0 .5rem; padding: .5rem .75rem; background: var(--page); border: 1px solid var(--line); font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; unicode-bidi: isolate; tab-size: 2; }
${colours.join('\n')}
`;

/** What the page calls each kind of report, and what made it. */
const categories = {
  conformance: { title: 'Conformance report', author: 'conformance suite' },
  client: { title: 'Report on an app', author: 'check-client' },
} as const satisfies Record<Sections['category'], object>;

/** A report as one HTML page that needs no other file. */
export function renderHtml(report: Report): string {
  return htmlOf(sectionsOf(report));
}

/** {@link renderHtml}, of any report. */
export function htmlOf(sections: Sections): string {
  const { category, version, subject, headline, areas, notes } = sections;
  const { failed, unmet, known, blocked } = sections;
  const remedies = blocked.causes.map((cause) => remedy(cause, blocked));
  const body = html`<body class="page">
${head(sections)}
<main>
${section('failed', failed.title, list('causes', failed.causes.map(violation)))}
${section('unmet', unmet.title, list('causes', unmet.causes.map(violation)))}
${section('known', known.title, list('causes', known.causes.map(violation)))}
${section('blocked', blocked.title, list('causes', remedies))}
${areas.map(areaSection)}
${section('clauses', 'The interface', clausesOf(sections))}
${notes.map(({ id, title, texts }) => section(id, title, list('causes', texts.map(item))))}
</main>
<footer class="quiet">livestream-mock ${version}, ${categories[category].author}</footer>
</body>`;
  return htmlPage(`${headline}: ${subject}`, style, body);
}

/** The verdict, the facts of the run, and how each area ended. What failed and what is blocked follows. */
function head(sections: Sections): Markup {
  const { category, mark, headline, sentence, counts, facts, remarks, areas } = sections;
  const ofAreas = areas.map(({ area, title, counts }) =>
    item(html`${link(`area-${area}`, title)}: ${counts}`),
  );
  return html`<header class="verdict" data-mark="${mark}">
<p class="quiet">${categories[category].title}</p>
<h1>${headline}</h1>
<p>${sentence}</p>
<p><b>${counts}</b></p>
${list('reasons', remarks.map(item))}
<dl>${facts.map(term)}</dl>
${section('areas', 'Areas', list('areas', ofAreas))}
</header>`;
}

/** A cause of violations: the message, and links to the requirements, which have the requests that show it. */
function violation({ mark, sign, words, message, results }: Cause): Markup {
  const requirements = results.map(({ id, level, statement }) =>
    item(html`${link(id, id)} (${level}) ${statement}`),
  );
  return html`<li data-mark="${mark}"><p class="found">${label(sign, `${words}:`)} ${message}</p>
<ul>${requirements}</ul></li>`;
}

/** What would let requirements be tested, and which. */
function remedy({ mark, message, results }: Cause, { word }: CauseList): Markup {
  const links = results.map(({ id }) => html`${link(id, id)} `);
  return html`<li data-mark="${mark}"><p>${message}</p><p>${word}: ${links}</p></li>`;
}

/** The requirements of an area. Those that passed are folded away together. */
function areaSection({ area, title, results }: AreaSection): Markup | undefined {
  const passed = results.filter(({ mark }) => mark === 'pass');
  const [first] = passed;
  const folded =
    first &&
    html`
<details class="folded" data-mark="pass">
<summary>${label(first.sign, `${passed.length} ${first.words}`)}</summary>
${passed.map(requirement)}
</details>`;
  const others = results.filter(({ mark }) => mark !== 'pass').map(requirement);
  return section(`area-${area}`, title, html`${others}${folded}`);
}

/** A requirement as a part of the page that can be opened; a link to what is inside opens it. */
function requirement(result: WordedResult): Markup {
  const { id, mark, sign, words, level, clause, statement, facts, exchanges } = result;
  // The clauses have a section of their own.
  const ownFacts = facts.filter(([name]) => name !== 'Clause');
  const clauseLinks = citedClauses([result]).map(
    ({ number, title }) => html`<dd>${link(clauseAnchor(number), `${number} ${title}`)}</dd>`,
  );
  return html`
<details class="requirement" data-mark="${mark}">
<summary>${label(sign, words)} <span class="id">${id}</span> ${statement} <span class="quiet">${level}, ${clause}</span></summary>
<div class="detail" id="${id}"><dl>${ownFacts.map(term)}<dt>Clause</dt>${clauseLinks}</dl>${evidence(exchanges)}</div>
</details>`;
}

/** The text of every clause that a requirement cites, folded away. */
function clausesOf({ citedClauses }: Sections): Markup | undefined {
  if (citedClauses.length === 0) return undefined;
  const texts = citedClauses.map(
    ({ number, title, text, numberedRules, place }) =>
      html`<dt id="${clauseAnchor(number)}">${number}</dt>
<dd><b>${title}</b> ${text} ${numberedRules} See ${place}.</dd>
`,
  );
  return html`<details class="folded"><summary>The clauses cited above</summary><dl>${texts}</dl></details>`;
}

function clauseAnchor(number: string): string {
  return `clause-${number}`;
}

/** A mark in words; screen readers skip its sign. */
function label(sign: string, words: string): Markup {
  return html`<span class="mark"><span aria-hidden="true">${sign}</span> ${words}</span>`;
}

/** What was sent and received. */
function evidence(exchanges: readonly WordedExchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const items = exchanges.map(
    ({
      title,
      command,
      responseTitle,
      response,
      headers,
      element = '',
      body,
    }) => html`<li><p>${title}</p>
<pre><code>${command}</code></pre>
<p>${responseTitle} <b>${response}</b></p>
${block('element', element)}${block('body', body)}${foldedHeaders(headers)}</li>`,
  );
  return html`<ol class="evidence" aria-label="Requests and responses">${items}</ol>`;
}

function foldedHeaders(headers: readonly string[]): Markup | undefined {
  const content = block('headers', headers.join('\n'));
  if (content === undefined) return undefined;
  return html`<details><summary class="quiet">${howMany(headers.length, 'header')}</summary>${content}</details>`;
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

function link(anchor: string, text: string): Markup {
  return html`<a href="#${encodeURIComponent(anchor)}">${text}</a>`;
}
