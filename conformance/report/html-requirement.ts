import { describeAnswer } from './evidence.ts';
import { markOf, markSigns, markWords } from './marks.ts';
import { type Markup, markup } from './markup.ts';
import type { Exchange, Result } from './report.ts';
import { describeBasis, describeDeviation } from './wording.ts';

/** A requirement as a part of the page that opens; what went wrong is open from the beginning. */
export function requirement(result: Result): Markup {
  const { id, level, clause, statement } = result;
  const mark = markOf(result);
  const open = mark === 'fail' || mark === 'error' ? markup` open` : undefined;
  return markup`<details class="requirement" id="${id}" data-mark="${mark}" data-level="${level}"${open}>
<summary><span class="mark"><span aria-hidden="true">${markSigns[mark]}</span> ${markWords[mark]}</span>
<h3><b>${id}</b> ${statement}</h3>
<span class="meta">${level}, ${clause}</span></summary>
<div class="detail">
<dl>
${factsOf(result)}
</dl>${evidence(result.evidence)}
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

function evidence(exchanges: readonly Exchange[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const items = exchanges.map((exchange, index) => {
    const decided = index === exchanges.length - 1 && exchanges.length > 1;
    return exchangeItem(
      exchange,
      decided ? `Sent, request ${index + 1}, which decided` : sentAs(index, exchanges.length),
    );
  });
  return markup`
<ol class="evidence" aria-label="Requests and answers">
${items}
</ol>`;
}

function sentAs(index: number, count: number): string {
  return count === 1 ? 'Sent' : `Sent, request ${index + 1}`;
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
