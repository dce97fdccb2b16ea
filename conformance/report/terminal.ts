import { behind, painter, type Style, withoutCommands, wrap } from '../../text/lines.ts';
import { firstOf } from '../../text/phrases.ts';
import type { Report } from '../model/report.ts';
import { groundsOf, groupByMessage, joinIds } from '../run/verdict.ts';
import {
  type AreaSection,
  type Cause,
  excerpt,
  marks,
  type Sections,
  sectionsOf,
  type WordedExchange,
  type WordedResult,
} from './sections.ts';
import { describeDuration, describeTarget } from './wording.ts';

/** How a report is written on a terminal. */
export interface TerminalOptions {
  readonly colours: boolean;
  /** The number of columns; default 80. */
  readonly width?: number;
  /** `quiet`: the verdict on one line. `normal`, the default: also why. `verbose`: everything. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

/** A text, or a list of blocks that is indented by two columns. */
type Block = string | Entry | readonly Block[];

interface Entry {
  readonly text: string;
  readonly style?: Style | undefined;
  /** Stands before the first line; the other lines are indented by its length. */
  readonly label?: string;
  /** Not broken between words, so that it can be copied. */
  readonly whole?: boolean;
}

/** A report for a person at a terminal: what did not pass, and then the verdict. */
export function renderTerminal(
  report: Report,
  { colours, width = 80, detail = 'normal' }: TerminalOptions,
): string {
  const sections = sectionsOf(report);
  const paint = painter(colours);
  const layOut = (block: Block, at = 0): string[] => {
    if (typeof block === 'string') return layOut({ text: block }, at);
    if (!('text' in block)) return block.flatMap((inner) => layOut(inner, at + 2));
    const { text, style, label = '', whole } = block;
    const start = ' '.repeat(at) + label;
    const room = width - start.length;
    const lines = behind(start, whole ? text.split('\n') : wrap(text, room));
    return lines.map((line) => (style ? paint(style, line) : line));
  };
  const allBlocks = detail === 'quiet' ? [[quietLine(sections)]] : paragraphsOf(sections, detail);
  const paragraphs = allBlocks
    .filter((blocks) => blocks.length > 0)
    .map((blocks) => blocks.flatMap((block) => layOut(block)).join('\n'));
  return `${withoutCommands(paragraphs.join('\n\n'))}\n`;
}

function quietLine({ report, headline, counts, blocked }: Sections): Entry {
  const { unjudgeable, leftBehind, verdict } = report;
  const leftovers = leftBehind.length === 0 ? '' : `, ${leftBehind.length} left behind`;
  const summary = unjudgeable === undefined ? `: ${counts}` : `. ${unjudgeable}`;
  const why = verdict === 'incomplete' && blocked[0] ? ` (${blocked[0].message})` : '';
  return { text: (headline + summary + leftovers + why).replaceAll(/\s+/g, ' '), whole: true };
}

function paragraphsOf(
  sections: Sections,
  detail: TerminalOptions['detail'],
): readonly (readonly Block[])[] {
  const { report, facts, areas, failed, unmet, blocked } = sections;
  const { suite, duration, leftBehind, interrupted, unjudgeable } = report;
  const start = `livestream-mock ${suite} judged ${describeTarget(report)} in ${describeDuration(duration)}`;
  // A target that cannot delete keeps every stream of the run.
  const listedLeftovers = detail === 'verbose' || interrupted ? leftBehind : firstOf(leftBehind, 2);
  const hint = listedLeftovers === leftBehind ? '' : ' (--verbose lists all)';
  const ending = [
    titled(`Left behind on the target${hint}`, listedLeftovers.map(bullet)),
    verdictBlocks(sections),
  ];
  if (unjudgeable !== undefined) return ending;
  return [
    [start],
    ...(detail === 'verbose' ? [facts.map(labelled), ...areas.map(areaBlocks)] : []),
    [...failed, ...unmet].flatMap(causeBlocks),
    titled('Clauses', [
      ...new Set([...failed, ...unmet].flatMap(({ clauses }) => clauses.slice(0, 1))),
    ]),
    titled(
      'Blocked, and what would unblock it',
      blocked.flatMap(({ message, results }) => [message, [joinIds(results)]]),
    ),
    ...ending,
  ];
}

/** One area: the ids of requirements that simply passed, and all others in full. */
function areaBlocks({ title, counts, results }: AreaSection): Block[] {
  const isPlain = ({ mark, known, observations }: WordedResult) =>
    mark === 'pass' && known === undefined && observations.length === 0;
  const passed = results.filter(isPlain).map(({ id }) => id);
  const notable = results.filter((result) => !isPlain(result));
  const ids = passed.length === 0 ? [] : [{ label: `${marks.pass.sign} `, text: passed.join(' ') }];
  return titled(`${title}: ${counts}`, [...ids, ...notable.flatMap(resultBlocks)]);
}

/** One result in full: the rule, what was found, why the rule holds, and the evidence. */
function resultBlocks({ sign, colour, line, words, facts, exchanges }: WordedResult): Block[] {
  // The violated clauses are explained below.
  const shownFacts = facts.filter(([term]) => term !== 'Clause');
  return [
    { label: `${sign} `, text: `${words}: ${line}`, style: colour },
    [
      ...shownFacts.map(labelled),
      ...exchanges.flatMap((exchange) => exchangeBlocks(exchange, { lines: 12, characters: 800 })),
    ],
  ];
}

/** One cause: its message, the first requirements that it concerns, and the first one's evidence. */
function causeBlocks({ sign, colour, words, message, results, exchanges }: Cause): Block[] {
  const furtherIds = results.slice(3).map(({ id, level }) => `${id} (${level})`);
  // The second is shown too if the first has no body.
  const decisive = exchanges.slice(0, exchanges[0]?.body ? 1 : 2);
  return [
    { label: `${sign} `, text: `${words}: ${message}`, style: colour },
    [
      ...results
        .slice(0, 3)
        .flatMap(({ mark, line, basis, why }) => [
          line,
          mark !== 'error' && basis.kind === 'derived' ? [`Why: ${why}`] : [],
        ]),
      ...(furtherIds.length === 0 ? [] : [`and ${furtherIds.join(', ')}`]),
      ...decisive.flatMap((exchange) => exchangeBlocks(exchange, { lines: 3, characters: 240 })),
    ],
  ];
}

/** What was sent and received, with the beginning of the body. */
function exchangeBlocks(
  { title, curl, response, body }: WordedExchange,
  max: Parameters<typeof excerpt>[1],
): Entry[] {
  const received = body === '' ? response : `${response}: ${excerpt(body, max)}`;
  return [
    { ...labelled([title, curl]), whole: true },
    { ...labelled(['Received', received]), whole: true },
  ];
}

/** The headline, the counts, and the reasons that are not shown above. */
function verdictBlocks({ report, headline, counts, mark }: Sections): Block[] {
  const style = marks[mark].colour;
  const { unjudgeable } = report;
  if (unjudgeable !== undefined) return [{ text: `${headline}. ${unjudgeable}`, style }];
  const { open, remarks, exceptions, untestable } = groundsOf(report);
  const untested = [...open.filter(({ outcome }) => outcome === 'untested'), ...untestable];
  const reasons = [...groupByMessage(untested), ...remarks, ...groupByMessage(exceptions)];
  return [{ text: `${headline}  ${counts}`, style }, reasons.map(bullet)];
}

function titled(title: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ text: title, style: 'bold' }, blocks];
}

function bullet(text: string): Entry {
  return { label: '- ', text };
}

/** A text after its label; the longest label has ten characters. */
function labelled([label, text]: readonly [label: string, text: string]): Entry {
  return { label: label.padEnd(11), text };
}
