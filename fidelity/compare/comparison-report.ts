import { html } from 'hono/html';
import { htmlPage } from '../../conformance/report/html-page.ts';
import { byEnding } from '../../conformance/report/renderer-for.ts';
import { bullets, painter, withoutCommands, wrap } from '../../text/lines.ts';
import { firstOf, howMany, shorten } from '../../text/phrases.ts';
import { visibleJson, withVisibleStrings } from '../../text/visible.ts';
import { type Comparison, type Difference, outOfTime, type TranscriptStep } from './comparison.ts';
import { entryOf } from './known-differences.ts';

/** Operations whose requests never had a usable response. */
export function neverAnswered({ byOperation }: Comparison): string[] {
  return Object.keys(byOperation).filter((name) => byOperation[name] === 0);
}

type Status = 0 | 1 | 2 | 4;

/** Why not a single operation was compared. */
function whyNothing({ skipped, sequences, end }: Comparison): string {
  if (skipped) return 'every request of the archive was skipped';
  if (sequences === 0 && end === outOfTime)
    return 'time ran out before the first sequence; give more with --time';
  return 'every sequence lacked a response';
}

/** What to say of operations without a usable response. A short search may not have come to them. */
function silentSentence(silent: readonly string[], { end, skipped }: Comparison): string {
  const sentence = `These operations never got a usable response: ${silent.join(', ')}.`;
  const mayBeTooShort = end === outOfTime && skipped === undefined;
  return mayBeTooShort ? `${sentence} Time ran out; give more with --time.` : sentence;
}

/** Up to which share of its requests may have no response before a comparison concludes nothing. */
const maxUnanswered = 0.1;

/** What the comparison concludes, as an exit status and in one sentence: the first of these that is true. */
function conclusionOf(comparison: Comparison): readonly [status: Status, sentence: string] {
  const { interrupted, operations, unjudgeable, providerFailure, unsteady, unanswered } =
    comparison;
  const { differences, unseen, end, skipped } = comparison;
  const sides = comparison.sides.join(' and ');
  const added = differences.filter(({ known }) => known === undefined).length;
  const silent = neverAnswered(comparison);
  const tooUnsteady = 'Too little is known: most differences did not appear again.';
  const verdicts: readonly (readonly [Status, string | false | undefined])[] = [
    [2, interrupted && operations === 0 && 'Interrupted: nothing was compared.'],
    [4, unjudgeable],
    [2, providerFailure],
    [2, operations === 0 && `Nothing could be compared: ${whyNothing(comparison)}.`],
    [2, unsteady > differences.length && tooUnsteady],
    [1, added > 0 && capitalize(`${sides} differ: ${howMany(added, 'new difference')}.`)],
    [1, unseen.length > 0 && `${howMany(unseen.length, 'known difference')} no longer appeared.`],
    [2, silent.length > 0 && silentSentence(silent, comparison)],
    [
      2,
      unanswered > operations * maxUnanswered &&
        `Too little is known: ${howMany(unanswered, 'request')} got no response.`,
    ],
  ];
  for (const [status, sentence] of verdicts) if (sentence) return [status, sentence];
  // A random search may run out of time; an archive must be sent whole.
  const endedEarly = end !== undefined && (end !== outOfTime || skipped !== undefined);
  const which = differences.length === 0 ? 'No difference' : 'No new difference';
  const sentence = `${which} was found between ${sides}, in ${howMany(operations, 'operation')}.`;
  return [interrupted || endedEarly ? 2 : 0, sentence];
}

/** 0 if all differences are known; 1 for others; 2 if too little is known; 4 for a target that cannot be reached. */
export function comparisonStatus(comparison: Comparison): Status {
  return conclusionOf(comparison)[0];
}

type Section = readonly [title: string, lines: readonly string[]];

/** The lists of a report, without empty ones; of what is left behind, the first `maxLeft`. */
function listsOf(comparison: Comparison, maxLeft = Infinity): Section[] {
  const isObstructed = (comparison.unjudgeable ?? comparison.providerFailure) !== undefined;
  const lists: readonly Section[] = [
    ['Known differences that no longer appear', comparison.unseen],
    ['Left behind', firstOf(comparison.leftBehind, maxLeft)],
    ['Seen', isObstructed ? [] : seenLines(comparison)],
  ];
  return lists.filter(([, lines]) => lines.length > 0);
}

/** What was compared, and how much of it. */
function seenLines(comparison: Comparison): string[] {
  const { operations, sequences, duration, end, unsteady, unanswered, skipped = {} } = comparison;
  const { missingSessions } = comparison;
  const rate = Math.round(operations / (Math.max(duration, 1) / 1000));
  const lines: readonly (string | false | undefined)[] = [
    ...comparison.sides.map((side, index) => `${capitalize(side)}: ${comparison.compared[index]}`),
    `${howMany(operations, 'operation')} in ${howMany(sequences, 'sequence')}, ${rate} a second`,
    unsteady > 0 && `${howMany(unsteady, 'difference')} did not appear again, and so did not count`,
    unanswered > 0 && `${howMany(unanswered, 'request')} without a response`,
    missingSessions > 0 &&
      `${howMany(missingSessions, 'session')} not made: --max-sessions allows no more`,
    ...comparison.unknownReasons,
    ...Object.entries(skipped).map(
      ([why, times]) => `${howMany(times, 'request')} of the archive skipped: ${why}`,
    ),
    comparison.interrupted && 'It was interrupted: there may be more differences',
    end && `The search ended: ${end}, so there may be more differences`,
    !comparison.withSessions &&
      'Sessions were not compared: each side needs a way to make them, such as --control-url',
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** A difference in one sentence, with operations in the order in which they showed it. */
function describeDifference(difference: Difference, { sides }: Comparison): string {
  const { where, kinds, times, requests } = difference;
  const frequency = times === 1 ? 'once' : `${times} times`;
  const operations = new Set(Object.keys(requests).map((kind) => kind.split(' ')[0]));
  return `${where}: ${kinds[0]} on ${sides[0]}, ${kinds[1]} on ${sides[1]}; ${frequency}, in ${[...operations].join(', ')}`;
}

/** What to do about a difference in a refusal; some of these no dialect can express. */
function adviceOn({ entry }: Difference): string[] {
  return entry === undefined ? [] : [`${entry} may have changed: run learn again, or accept it`];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A comparison as text for a terminal: three lines for each difference. Report files have the rest.
 * @param look with the `width` of the terminal in columns; without it, lines are not cut
 */
export function renderComparison(
  comparison: Comparison,
  { colours, width = Number.POSITIVE_INFINITY }: { colours: boolean; width?: number },
): string {
  const paint = painter(colours);
  const printable = withVisibleStrings(comparison);
  // After an interruption, the terminal may be the only place that names them.
  const maxLeft = printable.interrupted ? Infinity : 10;
  const lines = [
    ...printable.differences.flatMap((difference) => {
      const { known, transcript } = difference;
      const mark = known === undefined ? paint('red', 'differs') : paint('yellow', 'known  ');
      const steps = transcript.map(({ move, sides }) => {
        const statuses = new Set(sides.map(({ status = '' }) => status));
        return `${move} ${[...statuses].join(' | ')}`.trimEnd();
      });
      const details = [...adviceOn(difference), steps.join(' → ')].join('; ');
      return [
        `${mark}  ${paint('bold', shorten(describeDifference(difference, printable), width - 9))}`,
        `         ${shorten(details, width - 9)}`,
        // Never cut, as people copy it.
        `         ${entryOf(difference)}`,
      ];
    }),
    ...listsOf(printable, maxLeft).flatMap(([title, texts]) => [title, ...bullets(texts, width)]),
    ...wrap(conclusionOf(printable)[1], width).map((line) => paint('bold', line)),
  ];
  return withoutCommands(`${lines.join('\n')}\n`);
}

const renderers: Readonly<Record<string, (comparison: Comparison) => string>> = {
  '.json': (comparison) => `${visibleJson(JSON.stringify(comparison, undefined, 2))}\n`,
  '.html': comparisonHtml,
};

/** Writes a comparison in the format that a file name asks for. @throws TypeError for another one */
export function comparisonRenderer(file: string): (comparison: Comparison) => string {
  return byEnding(renderers, file);
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
section { border-top: 1px solid; }
pre { white-space: pre-wrap; font: .85rem/1.5 ui-monospace, monospace; }
`;

/** A comparison as one HTML page that needs no other files. */
function comparisonHtml(comparison: Comparison): string {
  const printable = withVisibleStrings(comparison);
  const differences = printable.differences.map((difference): Section => {
    const exchanges = difference.transcript.flatMap(({ move, sides }) =>
      sides.map((evidence, index) => describeSide(move, evidence, printable.sides[index])),
    );
    const lines = [...adviceOn(difference), entryOf(difference), ...exchanges];
    return [describeDifference(difference, printable), lines];
  });
  const sections = [...differences, ...listsOf(printable)].map(
    ([title, lines]) => html`<section><h2>${title}</h2>
${lines.map((line) => html`<pre>${line}</pre>`)}
</section>`,
  );
  const body = html`<body><main><h1>${conclusionOf(printable)[1]}</h1>
${sections}</main></body>`;
  return htmlPage(`Comparison of ${printable.sides.join(' and ')}`, style, body);
}

/** A step on one side: what was sent, if it was a request, and the response. */
function describeSide(
  move: string,
  { curl, status, headers = {}, body }: TranscriptStep['sides'][number],
  side: string | undefined,
): string {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const parts = [`${move} ${status ?? ''} on ${side}`, curl, ...headerLines, body];
  return parts.filter((line) => line).join('\n');
}
