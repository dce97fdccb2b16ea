import { groupBy } from '../model/group-by.ts';
import type { Report } from '../model/report.ts';
import { visible } from '../model/visible.ts';
import { groundsOf, groupByMessage, joinIds } from '../run/verdict.ts';
import {
  type AreaSection,
  type Cause,
  excerpt,
  marks,
  type Sections,
  type ShownExchange,
  type ShownResult,
  sectionsOf,
} from './sections.ts';
import { indent, type Paint, painter, type Style, withoutCommands, wrap } from './text.ts';
import { citationsOf, clausesPage, describeDuration, describeTarget, firstOf } from './wording.ts';

/** How a report is written on a terminal. */
export interface TerminalOptions {
  readonly colours: boolean;
  /** Columns; 80 where none are given. */
  readonly width?: number;
  /** `quiet`: the verdict on one line. `normal`, the default: also why. `verbose`: everything. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

interface Page {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Whether everything is shown, or only what decides the verdict. */
  readonly verbose: boolean;
}

/** A text that is broken between words, or a list that is indented by two columns. */
type Block = string | Row | readonly Block[];

interface Row {
  readonly text: string;
  readonly style?: Style | undefined;
  /** What stands before the first line. */
  readonly label?: string;
  /** Columns that the other lines are indented by; default the label's. */
  readonly hang?: number;
  /** For copying: not broken between words. */
  readonly whole?: boolean;
}

const narrowest = 40;

/** A report for a person at a terminal: what did not pass, and the verdict last. */
export function renderTerminal(
  report: Report,
  { colours, width = 80, detail = 'normal' }: TerminalOptions,
): string {
  const sections = sectionsOf(report);
  const page: Page = {
    paint: painter(colours),
    width: Math.max(width, narrowest),
    verbose: detail === 'verbose',
  };
  const paragraphs = detail === 'quiet' ? [quietLine(sections)] : paragraphsOf(sections, page);
  return `${withoutCommands(paragraphs.filter((text) => text !== '').join('\n\n'))}\n`;
}

/** How far a run is, in one line that ends with the check under way. */
export function renderProgress(done: number, total: number, current: string): string {
  const count = String(done).padStart(String(total).length);
  const room = 80 - `${count}/${total} `.length;
  const name = [...visible(current).replaceAll(/[\n\t]/g, ' ')].slice(0, room).join('');
  return `${count}/${total} ${name}`.trimEnd();
}

function quietLine({ report, headline, counts }: Sections): string {
  const { unjudgeable, leftBehind } = report;
  const left = leftBehind.length === 0 ? '' : `, ${leftBehind.length} left behind`;
  const text = unjudgeable === undefined ? `: ${counts}` : `. ${unjudgeable}`;
  return (headline + text + left).replaceAll(/\s+/g, ' ');
}

function paragraphsOf(sections: Sections, page: Page): string[] {
  const { report, results, areas, failed, blocked } = sections;
  const { leftBehind, interrupted, unjudgeable } = report;
  const { verbose } = page;
  const noted = results.flatMap(({ id, observations }) =>
    observations.map((one) => `${id}: ${one}`),
  );
  const left = verbose || interrupted ? leftBehind : firstOf(leftBehind, 2);
  const unblocked = blocked.flatMap(({ message, results }) => [
    message,
    verbose ? results.map(({ line }) => line) : [joinIds(results)],
  ]);
  const findings: Block[][] = [
    verbose ? verboseHead(sections) : [briefHead(sections)],
    ...(verbose ? areas.map((area) => areaRows(area, page)) : []),
    failed.flatMap((cause) => causeRows(cause, page)),
    titled(`Clauses, explained in ${clausesPage}`, clauseRows(sections, page)),
    titled('Blocked, and what would unblock it', unblocked),
    titled('Observed, not judged', verbose ? noted.map(bullet) : []),
  ];
  const ending = [
    titled('Left behind on the target', left.map(bullet)),
    verdictRows(sections, page),
  ];
  const shown = unjudgeable !== undefined && !verbose ? ending : [...findings, ...ending];
  return shown.map((rows) => rows.flatMap((row) => layOut(row, page)).join('\n'));
}

function layOut(block: Block, page: Page, at = 0): string[] {
  if (typeof block === 'string') return layOut({ text: block }, page, at);
  if (!('text' in block)) return block.flatMap((one) => layOut(one, page, at + 2));
  const { text, style, label = '', hang = label.length, whole } = block;
  const [first = '', ...others] = whole ? text.split('\n') : wrap(text, page.width - at - hang);
  const lines = indent([label + first, ...indent(others, hang)], at);
  return lines.map((line) => (style && line ? page.paint(style, line) : line));
}

function briefHead({ report }: Sections): string {
  const { suite, duration } = report;
  return `livestream-mock ${suite} judged ${describeTarget(report)} in ${describeDuration(duration)}`;
}

function verboseHead({ report, facts }: Sections): Block[] {
  return [
    { text: `Conformance report, livestream-mock ${report.suite}`, style: 'bold' },
    ...facts.map(([term, text]) => ({ label: term.padEnd(10), text })),
  ];
}

/** One area: the ids of what passed, and all others in full but those that the causes below show. */
function areaRows({ title, counts, results }: AreaSection, page: Page): Block[] {
  const shown = results.filter(({ mark }) => !['fail', 'error', 'blocked'].includes(mark));
  const isPlain = ({ mark, known }: ShownResult) => mark === 'pass' && known === undefined;
  const passed = shown.filter(isPlain).map(({ id }) => id);
  const others = shown.filter((result) => !isPlain(result));
  return [
    ...counted(title, 'bold', counts, page),
    passed.length === 0 ? [] : [{ label: `${marks.pass.sign} `, text: passed.join(' ') }],
    others.flatMap((result) => resultRows(result, page)),
  ];
}

/** One result in full: the rule, what was found, why the rule holds, and the evidence. */
function resultRows(result: ShownResult, page: Page): Block[] {
  const { mark, sign, colour, id, words, level, clause, statement, facts } = result;
  const deviates = mark === 'expected';
  const terms = deviates ? ['Found', 'Why', 'Deviation'] : ['Found', 'Deviation'];
  const shown = facts.filter(([term]) => terms.includes(term));
  return [
    { text: `${sign} ${id} ${words}  ${level}, ${clause}`, style: colour },
    [
      labelled('Rule', statement),
      ...shown.map(([term, text]) => labelled(term, text)),
      ...(deviates ? evidenceRows(result, page) : []),
    ],
  ];
}

/** One cause: its message, the requirements that it breaks, and the first one's evidence. */
function causeRows(cause: Cause, page: Page): Block[] {
  const { sign, colour, binds, words, message, results } = cause;
  const shown = page.verbose ? results : results.slice(0, 3);
  const others = groupBy(results.slice(shown.length), ({ level }) => level);
  return [
    { label: `${sign} `, text: `${words}: ${message}`, style: binds ? colour : 'yellow' },
    [
      ...shown.flatMap((result) => requirementRows(result, page)),
      ...others.map((alike) => `and ${alike.map(({ id }) => id).join(', ')} (${alike[0].level})`),
      ...evidenceRows(cause, page),
    ],
  ];
}

function requirementRows({ mark, line, basis, why }: ShownResult, { verbose }: Page): Block[] {
  const isExplained = mark === 'fail' && (verbose || basis.kind === 'derived');
  return [{ text: line, hang: 2 }, isExplained ? [`Why: ${why}`] : []];
}

/**
 * Verbose: the exchange that decided in full, the others in short. Otherwise the first in short, and
 * the second as well where the first has no body to show.
 */
function evidenceRows({ exchanges }: Pick<Cause, 'exchanges'>, { verbose }: Page): Row[] {
  if (!verbose) return exchanges.slice(0, exchanges[0]?.body ? 1 : 2).flatMap(briefRows);
  return exchanges.flatMap(({ title, curl, response, mainHeaders, body }, index) => {
    const style = index === 0 ? undefined : 'dim';
    const shown = body === '' ? [] : [excerpt(body, { lines: 12, characters: 800 })];
    const more = index === 0 ? [...mainHeaders, ...shown] : [];
    const received = labelled('Received', [response, ...more].join('\n'));
    return [
      { ...labelled(title, curl), style, whole: true },
      { ...received, style, whole: more.length > 0 },
    ];
  });
}

/** What was sent, and after the status the beginning of the body. */
function briefRows({ curl, response, body }: ShownExchange): Row[] {
  const shown = body === '' ? '' : `: ${excerpt(body, { lines: 3, characters: 240 })}`;
  return [
    { ...labelled('Sent', curl), whole: true },
    { ...labelled('Received', response + shown), whole: body !== '' },
  ];
}

/** The clauses that failures cite, in full: those of each cause's first one, in a verbose report all. */
function clauseRows({ results, failed }: Sections, { verbose }: Page): Block[] {
  const broken = failed.filter(({ mark }) => mark === 'fail').map((cause) => cause.results[0]);
  const cited = verbose ? results.filter(({ outcome }) => outcome === 'fail') : broken;
  return citationsOf(cited).map(({ explanation }) => ({ text: explanation, hang: 2 }));
}

/** The headline, the counts, and the reasons that are not shown above. */
function verdictRows({ report, headline, counts, mark }: Sections, page: Page): Block[] {
  const style = marks[mark].colour;
  const { unjudgeable } = report;
  if (unjudgeable !== undefined) return [{ text: `${headline}. ${unjudgeable}`, style }];
  const { open, remarks, exceptions } = groundsOf(report);
  const untested = open.filter(({ outcome }) => outcome === 'untested');
  const reasons = [...groupByMessage(untested), ...remarks, ...groupByMessage(exceptions)];
  return [...counted(headline, style, counts, page), reasons.map(bullet)];
}

/** A title with counts behind it, or below it where there is no room. */
function counted(title: string, style: Style, counts: string, { paint, width }: Page): Block[] {
  const fits = title.length + 2 + counts.length <= width;
  if (!fits) return [{ text: title, style }, [counts]];
  return [{ text: `${paint(style, title)}  ${counts}`, whole: true }];
}

function titled(title: string, rows: readonly Block[]): Block[] {
  return rows.length === 0 ? [] : [{ text: title, style: 'bold' }, rows];
}

function bullet(text: string): Row {
  return { label: '- ', text };
}

/** A text behind its label; the longest label has ten characters. */
function labelled(label: string, text: string): Row {
  return { label: label.padEnd(11), text };
}
