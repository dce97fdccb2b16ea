import { markNames } from './sections.ts';

/** Each mark has its colour. */
const colours = markNames.map((mark) => `[data-mark="${mark}"] { --mark: var(--${mark}); }`);

/** The style sheet of the HTML report. */
export const style: string = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #121519); --card: light-dark(#fff, #1b1f25); --line: light-dark(#d3d8df, #363d47);
  --text: light-dark(#1b1f24, #e6e9ee); --quiet: light-dark(#57606a, #a6b0bc); --link: light-dark(#0b5cad, #86b7ff);
  --pass: light-dark(#1a7f37, #5fca7b); --fail: light-dark(#b42318, #ff8f85); --error: light-dark(#96287f, #f09fe0);
  --expected: light-dark(#855600, #e6b65e); --blocked: light-dark(#1d5fbf, #8fbaff);
  --untested: var(--quiet); --inapplicable: var(--quiet);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif; overflow-wrap: anywhere; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: -2px; border-radius: 3px; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
h2 { font-size: 1.25rem; line-height: 1.3; }
pre, code, .target { font: .85rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
.quiet, .name, .meta, .clauses, dt, footer, pre.headers, .exchange > p { color: var(--quiet); }
.quiet, .name, .meta, .clauses, .facts, .mark, dt, footer, nav, .exchange > p, .causes p + p { font-size: .9rem; }

.verdict h1 { font-size: 2.25rem; line-height: 1.2; color: var(--mark); letter-spacing: -.01em; }
.counts { margin-top: .75rem; font-weight: 600; }
.reasons { margin: 1rem 0 0; padding-left: 1.25rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin-top: 1.25rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; }

.causes > li, .requirements { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }

section + section { margin-top: 2rem; }
.causes, .evidence { list-style: none; }
.causes > li { margin-top: .75rem; padding: .6rem 1rem; border-left: 4px solid var(--mark); }
.causes ul { margin-top: .25rem; padding-left: 1.25rem; }
.requirements { margin-top: .5rem; overflow: hidden; }
.requirement { border-left: 4px solid var(--mark); border-top: 1px solid var(--line); margin-top: -1px; }
.requirement > summary { display: grid; grid-template-columns: 9.5rem 1fr auto 1rem; gap: .1rem 1rem; align-items: baseline; padding: .5rem 1rem; cursor: pointer; }
.requirement > summary::after { content: '▸' / ''; color: var(--quiet); }
.requirement[open] > summary::after { content: '▾' / ''; }
.mark { color: var(--mark); font-weight: 600; }
.requirement h3 { font-size: 1rem; font-weight: 400; }
.requirement > summary:hover h3 { text-decoration: underline; }
.requirement h3 b { margin-right: .35rem; white-space: nowrap; }
.detail { padding: .25rem 1rem 1rem; scroll-margin-top: 4rem; }
.detail > dl { display: grid; align-items: baseline; grid-template-columns: 9.5rem 1fr; gap: .4rem 1rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.found { font-weight: 600; white-space: pre-wrap; }
.exchange { margin-top: .75rem; }
.exchange b { color: var(--text); }
pre { margin: .25rem 0 .5rem; padding: .6rem .8rem; background: var(--page); border: 1px solid var(--line); border-radius: .375rem; white-space: pre-wrap; unicode-bidi: isolate; tab-size: 2; }

@media (max-width: 40rem) {
  .page { padding: 2rem .75rem; }
  .verdict h1 { font-size: 1.75rem; }
  .facts, .detail > dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: .5rem; }
  .requirement > summary { grid-template-columns: 1fr auto 1rem; padding: .6rem .75rem; }
  .requirement h3 { grid-column: 1 / -1; grid-row: 2; }
}
${colours.join('\n')}
`;
