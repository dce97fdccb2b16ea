import type { Exchange, Result } from '../../model/report.ts';
import { explainClauses } from '../text/clauses.ts';
import { describeResponse, evidenceTitle, headerLines } from '../text/evidence.ts';
import { type Mark, markOf, marks } from '../text/marks.ts';
import { type Markup, markup } from '../text/markup.ts';
import { describeBasis, describeDeviation } from '../text/wording.ts';

/** A requirement as a part of the page that can be opened. */
export function requirement(result: Result): Markup {
  const { id, level, clause, statement } = result;
  const mark = markOf(result);
  return markup`<details class="requirement" id="${id}" data-mark="${mark}" data-level="${level}">
<summary><span class="mark">${markLabel(mark)}</span>
<h3><b>${id}</b> ${statement}</h3>
<span class="meta">${level}, ${clause}</span></summary>
<div class="detail">
<dl>
${factsOf(result)}
</dl>${evidenceList(result.evidence)}
</div>
</details>`;
}

/** A mark in words; screen readers skip its sign. */
export function markLabel(mark: Mark): Markup {
  return markup`<span aria-hidden="true">${marks[mark].sign}</span> ${marks[mark].words}`;
}

function factsOf(result: Result): Markup[] {
  const { message, observations } = result;
  return [
    ...(message === undefined ? [] : [markup`<dt>Found</dt><dd class="found">${message}</dd>`]),
    ...facts('Why', [describeBasis(result)]),
    ...facts('Clause', explainClauses([result])),
    ...facts('Deviation', [describeDeviation(result)]),
    ...facts('Observed', observations),
  ];
}

function facts(term: string, texts: readonly (string | undefined)[]): Markup[] {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => markup`<dt>${term}</dt><dd>${text}</dd>`);
}

/** What was sent and received, the exchange that decided first; nothing where there is none. */
export function evidenceList(exchanges: readonly Exchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const items = exchanges.map((exchange, index) =>
    exchangeItem(exchange, evidenceTitle(index, exchanges.length)),
  );
  return markup`
<ol class="evidence" aria-label="Requests and responses">
${items}
</ol>`;
}

function exchangeItem(exchange: Exchange, title: string): Markup {
  const headers = headerLines(exchange).join('\n');
  return markup`<li class="exchange"><p>${title}</p>
<pre><code>${exchange.curl}</code></pre>
<p>Received <b>${describeResponse(exchange)}</b></p>${block('headers', headers)}${block('body', exchange.body)}</li>`;
}

function block(kind: string, text: string | undefined): Markup | undefined {
  return text
    ? markup`
<pre class="${kind}"><code>${text}</code></pre>`
    : undefined;
}
