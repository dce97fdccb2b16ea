import { extname } from 'node:path';
import { html } from 'hono/html';
import { visibleJson, withVisibleStrings } from '../../conformance/model/visible.ts';
import { htmlPage, type Markup } from '../../conformance/report/page.ts';
import {
  bullets,
  type Paint,
  painter,
  withoutCommands,
  wrap,
} from '../../conformance/report/text.ts';
import {
  type Comparison,
  type Difference,
  endedEarly,
  isUnsteady,
  neverAnswered,
  reasonToWrite,
  type StepOfSide,
} from './comparison.ts';
import { shorten } from './differences.ts';

/** What the comparison concludes, in a sentence. */
function verdictSentence(comparison: Comparison): string {
  const { unreachable, withoutSessions, interrupted, operations } = comparison;
  if (interrupted && operations === 0) return 'Interrupted: nothing was compared.';
  return unreachable ?? withoutSessions ?? capitalize(sentenceOf(comparison));
}

function sentenceOf(comparison: Comparison): string {
  const { differences, unseen, unchecked, sides, operations } = comparison;
  if (operations === 0) return 'Nothing could be compared: no sequence had all responses.';
  if (isUnsteady(comparison)) {
    return 'Too little is known: most differences did not appear again.';
  }
  const found = differences.filter(({ known }) => known === undefined).length;
  const known = differences.length - found;
  const beside = known === 0 ? '' : `, beside ${howMany(known, 'known one')}`;
  if (found > 0) {
    return `${sides[0]} and ${sides[1]} differ: ${howMany(found, 'difference')} found${beside}.`;
  }
  if (unseen.length > 0) {
    return `${howMany(unseen.length, 'known difference')} no longer ${unseen.length === 1 ? 'appears' : 'appear'}.`;
  }
  if (unchecked > 0) return `${uncheckedWords(unchecked)}.`;
  const silent = neverAnswered(comparison);
  if (silent.length > 0) return `No request had a usable response: ${silent.join(', ')}.`;
  const early = endedEarly(comparison) ? ' before the search ended' : '';
  return `No difference was found between ${sides[0]} and ${sides[1]}${beside}, in ${howMany(operations, 'operation')}${early}.`;
}

function uncheckedWords(unchecked: number): string {
  const many = howMany(unchecked, 'difference');
  return `${many} could not be checked: time ran out, or there was no response`;
}

/** What was compared and how much was seen, a line for each kind of thing; nothing where no search began. */
function seenLines(comparison: Comparison): string[] {
  const { sides, compared, operations, sequences, duration, end, unsteady, unchecked } = comparison;
  if ((comparison.unreachable ?? comparison.withoutSessions) !== undefined) return [];
  const rate = Math.round(operations / (Math.max(duration, 1) / 1000));
  const lines: readonly (string | false | undefined)[] = [
    ...sides.map((side, index) => capitalize(`${side}: ${compared[index]}`)),
    `${howMany(operations, 'operation')} in ${howMany(sequences, 'sequence')}, ${rate} a second`,
    unsteady > 0 && `${howMany(unsteady, 'difference')} unsteady, and not counted`,
    unchecked > 0 && uncheckedWords(unchecked),
    comparison.unanswered > 0 && `${howMany(comparison.unanswered, 'request')} without a response`,
    ...comparison.unknownReasons.map((reason) => {
      const what = reason.startsWith('going live') ? 'No session could be made' : 'No response';
      return `${what}: ${reason}`;
    }),
    ...Object.entries(comparison.skipped ?? {}).map(
      ([why, times]) => `${howMany(times, 'request')} of the archive skipped: ${why}`,
    ),
    comparison.interrupted && 'It was interrupted: there may be more differences',
    end && `The search ended: ${end}, so there may be more differences`,
    !comparison.withSessions &&
      'Sessions were not compared: each side needs a source of them, such as --control-url',
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** What else a report lists, with the title of each list; those that are empty are left out. */
function listsOf({ unseen, leftBehind }: Comparison) {
  const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Known differences that no longer appear', unseen],
    ['Left behind', leftBehind],
  ];
  return lists.filter(([, lines]) => lines.length > 0);
}

/** A difference in a sentence. */
function describeDifference(
  { where, words, times, requests }: Difference,
  { sides }: Comparison,
): string {
  const often = times === 1 ? 'once' : `${times} times`;
  const operations = new Set(byCount(requests).map(([kind]) => kind.split(' ')[0]));
  return `${where}: ${words[0]} on ${sides[0]}, ${words[1]} on ${sides[1]}; ${often}, in ${[...operations].join(', ')}`;
}

/** Kinds of requests, those that come most often first. */
function byCount(requests: Difference['requests']): [kind: string, times: number][] {
  return Object.entries(requests).sort(([, one], [, other]) => other - one);
}

/** What to do about a difference that `learn` could have learned. */
function adviceOn({ cell }: Difference): string[] {
  return cell === undefined ? [] : [`${cell} has changed: run learn again`];
}

/** The entry for a file of known differences, on one line, or why the difference is accepted. */
export function entryOf({ place, known, seed, sequence }: Difference): string {
  if (known !== undefined) return `known: ${known}`;
  return JSON.stringify({ difference: place, reason: reasonToWrite, seed, sequence });
}

/** What came in response to a step; nothing for one that is no request. */
function cameOf({ status, failure = '' }: StepOfSide): string {
  return status === undefined ? failure : String(status);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number of things, such as `1 difference`. */
export function howMany(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** How a comparison is shown on a terminal. */
interface Look {
  readonly colours: boolean;
  /** Columns of a terminal; elsewhere a line is as long as it is. */
  readonly width?: number;
}

/** A comparison as text for a terminal: three lines for a difference. A report has the rest. */
export function renderComparison(
  comparison: Comparison,
  { colours, width = Number.POSITIVE_INFINITY }: Look,
): string {
  const paint = painter(colours);
  const shown = withVisibleStrings(comparison);
  const seen = ['Seen', seenLines(shown)] as const;
  const lists = [...listsOf(shown), ...(seen[1].length > 0 ? [seen] : [])];
  const lines = [
    ...shown.differences.flatMap((one) => differenceLines(shown, one, { paint, width })),
    ...lists.flatMap(([title, texts]) => [title, ...bullets(texts, width)]),
    ...wrap(verdictSentence(shown), width).map((line) => paint('bold', line)),
  ];
  return withoutCommands(`${lines.join('\n')}\n`);
}

/** What differs, what led to it, and the entry that accepts it, which is copied and so never cut. */
function differenceLines(
  comparison: Comparison,
  one: Difference,
  { paint, width }: { paint: Paint; width: number },
): string[] {
  const mark = one.known === undefined ? paint('red', 'differs') : paint('yellow', 'known  ');
  const column = width - 9;
  const steps = one.transcript.steps.map(({ move, sides }) => {
    const [first, second] = sides.map(cameOf);
    return `${move} ${first === second ? first : `${first} | ${second}`}`.trimEnd();
  });
  const led = [...adviceOn(one), steps.join(' → ')].join('; ');
  return [
    `${mark}  ${paint('bold', shorten(describeDifference(one, comparison), column))}`,
    `         ${shorten(led, column)}`,
    `         ${entryOf(one)}`,
  ];
}

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

/** A comparison as one HTML page that needs no other file. */
function renderHtml(comparison: Comparison): string {
  const shown = withVisibleStrings(comparison);
  const { differences, sides } = shown;
  const body = html`<body>
<main>
<h1>${verdictSentence(shown)}</h1>
${[list(['Seen', seenLines(shown)]), ...differences.map((one) => section(shown, one)), ...listsOf(shown).map(list)]}
</main>
</body>`;
  return htmlPage(`Comparison of ${sides[0]} and ${sides[1]}`, style, body);
}

function list([title, texts]: readonly [string, readonly string[]]): Markup {
  return html`<section><h2>${title}</h2><ul>
${texts.map((text) => html`<li>${text}</li>`)}
</ul></section>`;
}

/** Kinds of requests that the page names of a difference. */
const mostKinds = 20;

function section(comparison: Comparison, one: Difference): Markup {
  const { steps, responses } = one.transcript;
  const kinds = byCount(one.requests).slice(0, mostKinds);
  const side = (index: 0 | 1): Markup => {
    const shown = steps.map(({ move, sides }) => {
      const { request = '' } = sides[index];
      return html`<li>${[move, cameOf(sides[index])].join(' ')}<pre>${request}</pre></li>`;
    });
    return html`<div><p class="quiet">${comparison.sides[index]}</p>
<ol>${shown}</ol><pre>${responses[index]}</pre></div>`;
  };
  return html`<section>
<h2>${describeDifference(one, comparison)}</h2>
${adviceOn(one).map((advice) => html`<p>${advice}</p>`)}
<p><code>${entryOf(one)}</code></p>
<p class="quiet">${kinds.map(([kind, times]) => `${kind}: ${times}`).join('; ')}</p>
<div class="sides">${side(0)}${side(1)}</div>
</section>`;
}
