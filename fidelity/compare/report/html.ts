import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { visibleJson, withVisibleStrings } from '../../../conformance/model/visible.ts';
import { type Markup, markup, trusted } from '../../../conformance/report/markup.ts';
import type { Comparison, Difference } from '../comparison.ts';
import { cameOf, describeDifference, entryOf, seenLines, verdictSentence } from './wording.ts';

const renderers: Readonly<Record<string, (comparison: Comparison) => string>> = {
  '.json': (comparison) => `${visibleJson(JSON.stringify(comparison, undefined, 2))}\n`,
  '.html': renderHtml,
};

/** Writes a comparison in the format that a file name asks for. @throws TypeError for another one */
export function comparisonRenderer(file: string): (comparison: Comparison) => string {
  const render = renderers[extname(file).toLowerCase()];
  if (render !== undefined) return render;
  const known = Object.keys(renderers).join(' or ');
  throw new TypeError(`${file}: expected a name that ends in ${known}`);
}

const style = `
:root { color-scheme: light dark; --line: #8886; --quiet: #57606a; }
@media (prefers-color-scheme: dark) { :root { --quiet: #a6b0bc; } }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
pre { white-space: pre-wrap; font: .85rem/1.5 ui-monospace, monospace; margin: .25rem 0; }
.quiet { color: var(--quiet); }
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
${list('Seen', seenLines(shown))}
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

/** Kinds of requests that the page names of a difference. */
const mostKinds = 20;

function difference(comparison: Comparison, one: Difference): Markup {
  const { steps, responses } = one.transcript;
  const kinds = Object.entries(one.requests).slice(0, mostKinds);
  const side = (index: 0 | 1): Markup => {
    const shown = steps.map(({ move, sides }) => {
      const { request = '' } = sides[index];
      return markup`<li>${[move, cameOf(sides[index])].join(' ')}<pre>${request}</pre></li>`;
    });
    const lines = responses[index].map(({ text, differs }) =>
      differs ? markup`<mark>${text}</mark>\n` : markup`${text}\n`,
    );
    return markup`<div><p class="quiet">${comparison.sides[index]}</p>
<ol>${shown}</ol><pre>${lines}</pre></div>`;
  };
  return markup`<section>
<h2>${describeDifference(one, comparison)}</h2>
<p><code>${entryOf(one)}</code></p>
<p class="quiet">${kinds.map(([kind, times]) => `${kind}: ${times}`).join('; ')}</p>
<div class="sides">${side(0)}${side(1)}</div>
</section>`;
}
