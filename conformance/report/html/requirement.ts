import type { Exchange, Result } from '../../model/report.ts';
import { describeAnswer, evidenceTitle } from '../text/evidence.ts';
import { markOf, markSigns, markWords } from '../text/marks.ts';
import { type Markup, markup } from '../text/markup.ts';
import { describeBasis, describeDeviation } from '../text/wording.ts';

/** A requirement as a part of the page that opens. */
export function requirement(result: Result): Markup {
  const { id, level, clause, statement } = result;
  const mark = markOf(result);
  return markup`<details class="requirement" id="${id}" data-mark="${mark}" data-level="${level}">
<summary><span class="mark"><span aria-hidden="true">${markSigns[mark]}</span> ${markWords[mark]}</span>
<h3><b>${id}</b> ${statement}</h3>
<span class="meta">${level}, ${clause}</span></summary>
<div class="detail">
<dl>
${factsOf(result)}
</dl>${evidenceList(result.evidence)}
</div>
</details>`;
}

function factsOf(result: Result): Markup[] {
  const { message, observations } = result;
  const found =
    message === undefined ? undefined : markup`<dt>Found</dt><dd class="found">${message}</dd>`;
  return [
    ...(found === undefined ? [] : [found]),
    markup`<dt>Why</dt><dd>${describeBasis(result)}</dd>`,
    ...fact('Deviation', describeDeviation(result)),
    ...observations.flatMap((text) => fact('Observed', text)),
  ];
}

function fact(term: string, text: string | undefined): Markup[] {
  return text === undefined ? [] : [markup`<dt>${term}</dt><dd>${text}</dd>`];
}

/** What was sent and received, the exchange that decided first; nothing where there is none. */
export function evidenceList(exchanges: readonly Exchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const items = exchanges.map((exchange, index) =>
    exchangeItem(exchange, evidenceTitle(index, exchanges.length)),
  );
  return markup`
<ol class="evidence" aria-label="Requests and answers">
${items}
</ol>`;
}

function exchangeItem(exchange: Exchange, title: string): Markup {
  const headers = Object.entries(exchange.headers ?? {}).map(([name, text]) => `${name}: ${text}`);
  return markup`<li class="exchange"><p>${title}</p>
<pre><code>${exchange.curl}</code></pre>
<p>Received <b>${describeAnswer(exchange)}</b></p>${block('headers', headers.join('\n'))}${block('body', exchange.body)}</li>`;
}

function block(kind: string, text: string | undefined): Markup | undefined {
  return text
    ? markup`
<pre class="${kind}"><code>${text}</code></pre>`
    : undefined;
}
