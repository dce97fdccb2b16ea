import { behind, painter, type Style, withoutCommands, wrap } from '../../text/lines.ts';
import { firstOf } from '../../text/phrases.ts';
import type { Report } from '../model/report.ts';
import { joinIds } from '../run/verdict.ts';
import { sectionsOf } from './report-sections.ts';
import {
  type AreaSection,
  type Cause,
  decisiveExchanges,
  excerpt,
  marks,
  type NoteList,
  type Sections,
  type WordedExchange,
  type WordedResult,
} from './sections.ts';

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
export function renderTerminal(report: Report, options: TerminalOptions): string {
  return terminalOf(sectionsOf(report), options);
}

/** {@link renderTerminal}, of any report. */
export function terminalOf(
  sections: Sections,
  { colours, width = 80, detail = 'normal' }: TerminalOptions,
): string {
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

function quietLine(sections: Sections): Entry {
  const { headline, counts, blocked, mark, isUnjudgeable, sentence, notes } = sections;
  const leftovers = notes
    .filter(({ texts }) => texts.length > 0)
    .map(({ texts, words }) => `, ${texts.length} ${words}`);
  const summary = isUnjudgeable ? `. ${sentence}` : `: ${counts}`;
  const [first] = blocked.causes;
  const why = mark === 'expected' && first ? ` (${first.message})` : '';
  const text = headline + summary + leftovers.join('') + why;
  return { text: text.replaceAll(/\s+/g, ' '), whole: true };
}

function paragraphsOf(
  sections: Sections,
  detail: TerminalOptions['detail'],
): readonly (readonly Block[])[] {
  const { opening, facts, areas, blocked, notes, isUnjudgeable } = sections;
  const violations = [...sections.failed.causes, ...sections.unmet.causes];
  const ending = [...notes.map((list) => noteBlocks(list, detail)), verdictBlocks(sections)];
  if (isUnjudgeable) return [violations.flatMap((cause) => causeBlocks(cause)), ...ending];
  return [
    [opening],
    ...(detail === 'verbose' ? [facts.map(labelled), ...areas.map(areaBlocks)] : []),
    violations.flatMap((cause, index) =>
      violations.findIndex(({ message }) => message === cause.message) === index
        ? causeBlocks(cause, violations.slice(0, index))
        : repeatedCauseBlocks(cause),
    ),
    titled('Clauses', [...new Set(violations.flatMap(({ clauses }) => clauses.slice(0, 1)))]),
    titled(
      blocked.title,
      blocked.causes.flatMap(({ message, results }) => [message, [joinIds(results)]]),
    ),
    ...ending,
  ];
}

function noteBlocks({ title, texts, most }: NoteList, detail: TerminalOptions['detail']): Block[] {
  if (most === undefined || detail === 'verbose' || texts.length <= most.number) {
    return titled(title, texts.map(bullet));
  }
  return titled(`${title} (${most.hint})`, firstOf(texts, most.number).map(bullet));
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

/**
 * One cause: its message, the first requirements that it concerns, and the first one's evidence.
 * @param earlier the causes above, whose output is not shown again
 */
function causeBlocks(
  { sign, colour, words, message, results, exchanges }: Cause,
  earlier: readonly Cause[] = [],
): Block[] {
  const furtherIds = results.slice(3).map(({ id, level }) => `${id} (${level})`);
  return [
    { label: `${sign} `, text: `${words}: ${message}`, style: colour },
    [
      ...results
        .slice(0, 3)
        .flatMap(({ mark, line, derivation }) => [
          line,
          mark !== 'error' && derivation !== undefined ? [`Why: ${derivation}`] : [],
        ]),
      ...(furtherIds.length === 0 ? [] : [`and ${furtherIds.join(', ')}`]),
      ...decisiveExchanges(exchanges).flatMap((exchange) =>
        exchangeBlocks(withoutRepeatedOutput(exchange, earlier), shortest[exchange.telling]),
      ),
    ],
  ];
}

/** A run of tests. If an earlier one wrote the same, that is named in place of the output. */
function withoutRepeatedOutput(
  exchange: WordedExchange,
  earlier: readonly Cause[],
): WordedExchange {
  const output = outputOf(exchange);
  if (output === '') return exchange;
  const same = earlier.find(({ exchanges: [first] }) => first && outputOf(first) === output);
  return same === undefined
    ? exchange
    : { ...exchange, body: `as with ${same.results[0].id} above` };
}

/** What tests wrote at the end, without what differs between any two runs: how long something took, and ports. */
function outputOf({ telling, body }: WordedExchange): string {
  if (telling === 'beginning') return '';
  const lasting = body
    .replace(/\d+(\.\d+)? ?(ms|s)\b/g, '')
    .replace(/\bduration_ms:? [\d.]+/g, '')
    .replace(/(?<=\b(127\.0\.0\.1|localhost):)\d+/g, '');
  return excerpt(lasting, shortest.end, 'end');
}

/** A cause whose message and evidence are shown above, with results that bind more or less. */
function repeatedCauseBlocks({ sign, colour, words, results }: Cause): Block[] {
  const ids = results.map(({ id, level }) => `${id} (${level})`).join(', ');
  return [
    { label: `${sign} `, text: `${words}, for the same reason as above: ${ids}`, style: colour },
  ];
}

/** How much of an element of a list is shown, which may be wrong anywhere. */
const elementShown = { lines: 12, characters: 800 };

/** How much of a body is shown below a cause: the end of an output has more to say than the beginning of a response. */
const shortest = {
  beginning: { lines: 3, characters: 240 },
  end: { lines: 20, characters: 2_000 },
} as const;

/** What was sent and received, with a part of the body. */
function exchangeBlocks(
  { title, command, responseTitle, response, element, body, telling }: WordedExchange,
  max: Parameters<typeof excerpt>[1],
): Entry[] {
  const shown =
    element === undefined ? excerpt(body, max, telling) : excerpt(element, elementShown);
  const received = shown === '' ? response : `${response}: ${shown}`;
  return [
    { ...labelled([title, command]), whole: true },
    { ...labelled([responseTitle, received]), whole: true },
  ];
}

/** The headline, the counts, and the reasons that are not shown above. */
function verdictBlocks(sections: Sections): Block[] {
  const { headline, counts, mark, isUnjudgeable, sentence, closing } = sections;
  const style = marks[mark].colour;
  if (isUnjudgeable) return [{ text: `${headline}. ${sentence}`, style }];
  return [{ text: `${headline}  ${counts}`, style }, closing.map(bullet)];
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
