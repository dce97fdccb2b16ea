import { levels } from '../../model/requirement.ts';
import { markNames } from '../text/marks.ts';

/** A box that is not ticked hides its requirements, without a script. */
const filter = [
  ...markNames.map((mark) => hideWith(`show-${mark}`, `[data-mark="${mark}"]`)),
  ...levels.map((level) => hideWith(`show-${level}`, `[data-level="${level}"]`)),
].join('\n');

function hideWith(box: string, selector: string): string {
  return `body:has(#${box}:not(:checked)) .requirement${selector} { display: none; }`;
}

const colours = markNames
  .map((mark) => `[data-mark="${mark}"] { --mark: var(--${mark}); }`)
  .join('\n');

/** The style sheet of the HTML report. The page's policy names its hash, {@link styleHash}. */
export const style: string = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --code: #f4f5f7; --line: #d3d8df;
  --text: #1b1f24; --quiet: #57606a; --link: #0b5cad; --focus: #0b5cad;
  --pass: #1a7f37; --fail: #b42318; --error: #96287f; --expected: #855600;
  --blocked: #1d5fbf; --untested: #57606a; --inapplicable: #57606a;
  --conformant: var(--pass); --nonconformant: var(--fail); --incomplete: var(--expected);
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #121519; --card: #1b1f25; --code: #121519; --line: #363d47;
    --text: #e6e9ee; --quiet: #a6b0bc; --link: #86b7ff; --focus: #86b7ff;
    --pass: #5fca7b; --fail: #ff8f85; --error: #f09fe0; --expected: #e6b65e;
    --blocked: #8fbaff; --untested: #a6b0bc; --inapplicable: #a6b0bc;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif;
  overflow-wrap: anywhere;
}
.page > * { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, input:focus-visible, button:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px;
}
summary:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; border-radius: 3px; }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h2 { font-size: 1.25rem; line-height: 1.3; }
code, pre { font: .85rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
.quiet { color: var(--quiet); }

.page > .verdict { padding-top: 2rem; }
.verdict .name { color: var(--quiet); font-size: .875rem; }
.verdict h1 { font-size: 2.25rem; line-height: 1.2; color: var(--verdict); letter-spacing: -.01em; }
[data-verdict^="conformant"] { --verdict: var(--conformant); }
[data-verdict="nonconformant"] { --verdict: var(--nonconformant); }
[data-verdict="incomplete"] { --verdict: var(--incomplete); }
.counts { margin-top: .75rem; font-weight: 600; }
.bar { display: block; width: 100%; height: .75rem; margin-top: .5rem; border-radius: .375rem; }
.bar rect { fill: var(--mark); }
.reasons { margin: 1rem 0 0; padding-left: 1.25rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin-top: 1.25rem; font-size: .9rem; }
.facts dt { color: var(--quiet); }
.page > nav { margin-top: 1.25rem; font-size: .9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; }

.page > search { margin-top: 1.5rem; }
.filter { display: grid; gap: .35rem; padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; font-size: .9rem; }
.filter fieldset { display: flex; flex-wrap: wrap; gap: .1rem .8rem; margin: 0; padding: 0; border: 0; min-width: 0; }
.filter legend { float: left; width: 4.5rem; line-height: 1.75rem; padding: 0; color: var(--quiet); }
.filter label { display: inline-flex; gap: .4rem; align-items: center; min-height: 1.75rem; cursor: pointer; }
.filter input { width: 1rem; height: 1rem; margin: 0; accent-color: var(--mark, var(--link)); }
.filter button { font: inherit; color: var(--link); background: none; border: 1px solid var(--line); border-radius: .375rem; padding: .2rem .75rem; cursor: pointer; }
.filter .tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.filter .tools[hidden] { display: none; }

section { margin-top: 2rem; }
section > h2 + .quiet { font-size: .9rem; }
.causes { list-style: none; }
.causes > li { margin-top: .75rem; padding: .6rem 1rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: .5rem; }
.causes ul { margin-top: .25rem; padding-left: 1.25rem; }

.requirements { margin-top: .5rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
.requirement { border-left: 4px solid var(--mark); border-top: 1px solid var(--line); margin-top: -1px; scroll-margin-top: 1rem; }
.requirement > summary { display: grid; grid-template-columns: 9.5rem 1fr auto 1rem; gap: .1rem 1rem; align-items: baseline; padding: .5rem 1rem; cursor: pointer; list-style: none; }
.requirement > summary::-webkit-details-marker { display: none; }
.requirement > summary::after { content: '▸' / ''; color: var(--quiet); grid-column: 4; grid-row: 1; }
.requirement[open] > summary::after { content: '▾' / ''; }
.mark { color: var(--mark); font-weight: 600; font-size: .9rem; }
.requirement h3 { font-size: 1rem; font-weight: 400; }
.requirement > summary:hover h3 { text-decoration: underline; text-decoration-color: var(--quiet); text-underline-offset: .2em; }
.requirement h3 b { margin-right: .35rem; white-space: nowrap; }
.meta { color: var(--quiet); font-size: .85rem; white-space: nowrap; }
.detail { padding: .25rem 1rem 1rem; }
.detail > dl { display: grid; align-items: baseline; grid-template-columns: 9.5rem 1fr; gap: .4rem 1rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.detail dt { color: var(--quiet); font-size: .9rem; }
.found { font-weight: 600; white-space: pre-wrap; }
.evidence { list-style: none; }
.exchange { margin-top: .75rem; }
.exchange > p { font-size: .9rem; color: var(--quiet); }
.causes p + p { font-size: .9rem; }
.exchange > p b { color: var(--text); }
pre { margin: .25rem 0 .5rem; padding: .6rem .8rem; background: var(--code); border: 1px solid var(--line); border-radius: .375rem; white-space: pre-wrap; unicode-bidi: isolate; tab-size: 2; }
pre.headers { color: var(--quiet); }

table { width: 100%; margin-top: .5rem; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th { overflow-wrap: normal; }
th, td { padding: .45rem .8rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-size: .85rem; font-weight: 600; }
tbody th { white-space: nowrap; font-weight: 400; }
.clauses { color: var(--quiet); font-size: .9rem; }
.left { margin-top: .5rem; padding-left: 1.25rem; }
footer { color: var(--quiet); font-size: .85rem; }
.page > footer { margin-top: 2.5rem; padding-bottom: 2rem; }

@media (max-width: 40rem) {
  .page > * { padding: 0 .75rem; }
  .verdict h1 { font-size: 1.75rem; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd + dt { margin-top: .4rem; }
  .requirement > summary { grid-template-columns: 1fr auto 1rem; padding: .6rem .75rem; }
  .requirement > summary::after { grid-column: 3; }
  .requirement h3 { grid-column: 1 / -1; grid-row: 2; }
  .detail { padding: .25rem .75rem .75rem; }
  .detail > dl { grid-template-columns: 1fr; gap: 0; }
  .detail dd + dt { margin-top: .5rem; }
  th, td { padding: .4rem .5rem; }
  .filter legend { float: none; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --code: #fff; }
  html { font-size: 10pt; }
  .page > * { max-width: none; padding: 0; }
  search, nav, .requirement > summary::after { display: none; }
  .requirement { break-inside: avoid-page; }
  .requirements { overflow: visible; }
  .requirement:not([data-mark="pass"])::details-content { content-visibility: visible; display: block; block-size: auto; }
}
${colours}
${filter}
`;

/** SHA-256 of {@link style}; a test prints the right one when the style sheet changes. */
export const styleHash = 'sha256-9r4iPx5IfV0DFGneeMUZdJGT7GVHerT+jrjlAVrIwzI=';
