import type { Result } from '../../model/report.ts';
import { explainClauses } from '../text/clauses.ts';
import { byCause, type Cause } from '../text/marks.ts';
import { type Markup, markup } from '../text/markup.ts';
import { list } from './head.ts';
import { evidenceList, markLabel } from './requirement.ts';

/** What failed, by its cause: the message, the requirements, their clauses, and the first one's evidence. */
export function failures(results: readonly Result[]): Markup[] {
  return causeSection('failed', 'What failed', byCause(results, ['fail', 'error']).map(failure));
}

function failure({ mark, message, results }: Cause): Markup {
  const broken = results.map(
    ({ id, level, statement }) => markup`<li>${link(id)} (${level}) ${statement}</li>`,
  );
  const clauses = mark === 'fail' ? explainClauses(results) : [];
  return markup`<li data-mark="${mark}"><p class="found"><span class="mark">${markLabel(mark)}:</span> ${message}</p>
<ul>
${broken}
</ul>${list('clauses', clauses)}${evidenceList(results[0].evidence)}</li>`;
}

/** What is blocked, below what would unblock it. */
export function remedies(results: readonly Result[]): Markup[] {
  const causes = byCause(results, ['blocked']).map(
    (cause) => markup`<li data-mark="blocked"><p>${cause.message}</p>
<p>Blocked: ${cause.results.map(({ id }) => link(id))}</p></li>`,
  );
  return causeSection('blocked', 'What would complete the run', causes);
}

/** What was noted about the target, in a table. */
export function observed(results: readonly Result[]): Markup[] {
  const rows = results.flatMap(({ id, observations }) =>
    observations.map((text) => markup`<tr><th scope="row">${link(id)}</th><td>${text}</td></tr>`),
  );
  if (rows.length === 0) return [];
  const table = markup`<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">What was observed</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
  return [section('observed', 'Observed, not judged', table)];
}

/** What stays on the target. */
export function left(leftBehind: readonly string[]): Markup[] {
  const items = list('left', leftBehind);
  return items === undefined ? [] : [section('left', 'Left behind on the target', items)];
}

function causeSection(id: string, title: string, items: readonly Markup[]): Markup[] {
  if (items.length === 0) return [];
  const content = markup`<ul class="causes">
${items}
</ul>`;
  return [section(id, title, content)];
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
