import { createHash } from 'node:crypto';
import { withVisibleStrings } from '../../../conformance/model/visible.ts';
import { type Markup, markup, trusted } from '../../../conformance/report/text/markup.ts';
import type { Comparison, FoundDifference } from '../model/comparison.ts';
import type { ShownLine } from '../model/response-lines.ts';
import type { TranscriptStep } from '../model/transcript.ts';
import {
  cameOf,
  comparedLines,
  coverageLines,
  describeDifference,
  entryOf,
  factsOf,
  repeatOptions,
  verdictSentence,
} from './wording.ts';

const style = `
:root { color-scheme: light dark; --line: #8886; --quiet: #57606a; }
@media (prefers-color-scheme: dark) { :root { --quiet: #a6b0bc; } }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
pre { white-space: pre-wrap; font: .85rem/1.5 ui-monospace, monospace; margin: .25rem 0; }
dt, .quiet { color: var(--quiet); }
dd { margin: 0 0 .5rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.sides > div { border: 1px solid var(--line); border-radius: .375rem; padding: .5rem; }
`;

/** The page loads nothing, sends nothing, and has no script and no style but its own. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** A comparison as one HTML page that needs no other file. */
export function renderHtml(comparison: Comparison): string {
  const shown = withVisibleStrings(comparison);
  const { differences, sides, unseen, notReached, leftBehind } = shown;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comparison of ${sides[0]} and ${sides[1]}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>${verdictSentence(shown)}</h1>
${list('Compared', comparedLines(shown))}
${list('Seen', coverageLines(shown))}
${differences.map((one) => difference(shown, one))}
${list('Known differences that no longer appear', unseen)}
${list('Known differences that could not be tried to the end', notReached)}
${list('Left behind', leftBehind)}
</main>
</body>
</html>
`.markup;
}

function list(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return markup`<section><h2>${title}</h2><ul>
${texts.map((text) => markup`<li>${text}</li>`)}
</ul></section>`;
}

function difference(comparison: Comparison, one: FoundDifference): Markup {
  const { steps, responses } = one.transcript;
  return markup`<section>
<h2>${describeDifference(one, comparison)}</h2>
<dl>${factsOf(one).flatMap(([term, text]) => fact(term, text) ?? [])}${fact('signature', one.signature)}${fact('entry for known differences', entryOf(one))}${fact('again', repeatOptions(one))}</dl>
<div class="sides">
${([0, 1] as const).map(
  (side) => markup`<div><p class="quiet">${comparison.sides[side]}</p>
<ol>
${steps.map((one) => step(one, side))}
</ol>
${response(responses[side])}</div>`,
)}
</div>
</section>`;
}

function fact(term: string, text: string | undefined): Markup | undefined {
  return text === undefined ? undefined : markup`<dt>${term}</dt><dd><code>${text}</code></dd>`;
}

function step({ move, sides }: TranscriptStep, side: 0 | 1): Markup {
  const { request } = sides[side];
  const came = cameOf(sides[side]);
  return markup`<li>${move}${came === undefined ? '' : ` → ${came}`}${request === undefined ? undefined : markup`<pre>${request}</pre>`}</li>`;
}

/** A response, in which what differs is marked. */
function response(lines: readonly ShownLine[]): Markup {
  const shown = lines.map(({ text, differs }) =>
    differs ? markup`<mark>${text}</mark>` : markup`${text}`,
  );
  return markup`<pre>${shown}</pre>`;
}
