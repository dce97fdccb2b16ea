import { groupBy } from '../../conformance/model/group-by.ts';
import { describeBreaches } from '../../interface/dialect/breaches.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { secretsOf } from '../../target/requests/near-keys.ts';
import { firstOf, howMany } from '../../text/phrases.ts';
import { redact } from '../../text/redact.ts';
import { visible, visibleJson } from '../../text/visible.ts';
import { describeEntry, meaningOf } from './describe-entry.ts';
import type { Drift } from './drift.ts';
import type { Learned } from './learn.ts';

/** What the parts of a dialect hold, and the depth at which their entries get lines of their own. */
const partsOfDialect = new Map([
  ['errors', { words: 'cells of errors', depth: 2 }],
  ['orders', { words: 'orders of errors', depth: 1 }],
  ['behaviours', { words: 'behaviours', depth: 1 }],
  ['routes', { words: 'routes', depth: 1 }],
]);

/** Maximum number of lines of a section; the others are counted. */
const maxLines = 9;

/** Why something was not learned, by the outcome. */
const unlearned = {
  unasked: 'Not learned, because something was missing',
  unanswered: 'Not learned, because there was no usable response',
  unsteady: 'Not learned, because similar requests had different responses',
  inexpressible: 'Observed, but a dialect cannot express it',
} as const;

/** What was learned, for a terminal: without keys, and with everything from the service escaped. */
export function renderLearned(
  { observed, dialect, absentRoutes, leftBehind }: Learned,
  apiKeys: readonly string[],
  evidence?: string,
): string {
  const entries = [...observed].map(([name, seen]) => ({ name, reason: '', ...seen }));
  const counts = [...partsOfDialect].flatMap(([part, { words }]) => {
    const ofPart = entries.filter(({ name }) => name.startsWith(`${part}.`));
    const learned = ofPart.filter(({ outcome }) => outcome === 'observed');
    return ofPart.length === 0 ? [] : `${learned.length} of ${ofPart.length} ${words}`;
  });
  return toSafeText(
    [
      `Observed: ${counts.join(', ')}. For the rest, the mock keeps its own behaviour, with the usual refusals.`,
      ...Object.entries(unlearned).flatMap(([outcome, title]) =>
        section(title, byReason(entries.filter((entry) => entry.outcome === outcome))),
      ),
      ...section(
        'Routes that the service answers like an unknown path, so they are not in the dialect',
        absentRoutes,
      ),
      ...section('Stated rules that it breaks', describeBreaches(dialect)),
      ...leftSection(leftBehind, evidence),
    ],
    apiKeys,
  );
}

/** A line for each reason why something was not observed, the most frequent first. */
function byReason(
  entries: readonly { readonly name: string; readonly reason: string }[],
): string[] {
  return groupBy(entries, ({ reason }) => reason)
    .toSorted((left, right) => right.length - left.length)
    .map(([{ name, reason }, ...furtherEntries]) => {
      const more = furtherEntries.length === 0 ? '' : ` and ${furtherEntries.length} more`;
      return `${reason}: ${name}${more}`;
    });
}

/** What has changed since a dialect was learned, for a terminal; equal changes are grouped. */
export function renderDrift(
  { changes, unknown, appeared }: Drift,
  leftBehind: readonly string[],
  apiKeys: readonly string[],
  evidence?: string,
): string {
  const alike = groupBy(changes, (change) => describeChange(change).join());
  return toSafeText(
    [
      changes.length === 0
        ? 'Nothing differs.'
        : `${howMany(changes.length, 'entry differs', 'entries differ')}:`,
      ...alike.flatMap((group) => [
        ...group.map(({ name }) => describeEntry(name)),
        ...describeChange(group[0]),
      ]),
      ...section('Could not be checked', byReason(unknown)),
      ...section(
        'Routes with more keys, which is no difference',
        appeared.map(({ name, keys }) => `${name}: ${keys.join(', ')}`),
      ),
      ...leftSection(leftBehind, evidence),
    ],
    apiKeys,
  );
}

function describeChange({ name, before, now, reason }: Drift['changes'][number]): string[] {
  const explained = (value: unknown): string => {
    const meaning = meaningOf(name, value);
    return meaning === undefined ? write(value) : `${write(value)}: ${meaning}`;
  };
  return [`  before ${explained(before)}`, `  now    ${reason ?? explained(now)}`];
}

function write(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', title, ...firstOf(lines, maxLines).map((line) => `  ${line}`)];
}

/** Maximum number of things left on the service that a terminal shows. */
const maxLeft = 10;

/** What is left on the service, as far as a terminal shows it. `evidence` is the file that has all of it, if there is one. */
function leftSection(leftBehind: readonly string[], evidence: string | undefined): string[] {
  if (leftBehind.length === 0) return [];
  const shown = leftBehind.slice(0, maxLeft).map((line) => `  ${line}`);
  const omitted = leftBehind.length - shown.length;
  const where = evidence === undefined ? '--evidence FILE would list all' : `${evidence} lists all`;
  return [
    '',
    'Left on the service',
    ...shown,
    ...(omitted > 0 ? [`  and ${omitted} more; ${where}`] : []),
  ];
}

/** Maximum length of a line, because a target decides how long its values are. */
const longestLine = 500;

function toSafeText(lines: readonly string[], apiKeys: readonly string[]): string {
  return toSafeLines(lines, apiKeys)
    .map((line) => `${line.slice(0, longestLine)}\n`)
    .join('');
}

/** Lines in which keys are hidden, and a terminal obeys no character. */
function toSafeLines(lines: readonly string[], apiKeys: readonly string[]): string[] {
  return redact(lines, apiKeys.flatMap(secretsOf)).map(visible);
}

/** Why nothing was learned, and what was left on the service. */
export function renderFailure(
  reason: string,
  leftBehind: readonly string[],
  apiKeys: readonly string[],
  evidence?: string,
): string {
  return toSafeLines([reason, ...leftSection(leftBehind, evidence)], apiKeys)
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * A dialect as a file in which each entry begins a line of its own, so that each line of a diff names what changed.
 * Errors share the line of what they are about. What does not fit on a line is continued on others.
 */
export function renderDialect(dialect: Dialect): string {
  const parts = Object.entries(dialect).map(([key, part]) => {
    const depth = partsOfDialect.get(key)?.depth ?? 0;
    return `  ${JSON.stringify(key)}: ${visibleJson(layOut(part, depth, '  ', key.length + 4))}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

/** Maximum number of characters on a line that could be continued on others. */
const widestLine = 100;

/** Lays out JSON whose entries down to a depth have lines of their own. Deeper ones have them only if they would not fit on one. */
export function layOut(value: unknown, depth: number, indent = '', before = 0): string {
  const line = JSON.stringify(value, undefined, 1).replace(/\n */g, ' ');
  const isContainer = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const fits = depth <= 0 && indent.length + before + line.length <= widestLine;
  if (!isContainer || fits) return line;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, part]) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${layOut(part, depth - 1, deeper, name.length)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}
