import { renderTable, type Table } from './table.ts';
import { describeBound, describeFigure, isMet, type Target } from './targets.ts';

/** What one part of the bench has measured. */
export interface Findings {
  readonly title: string;
  readonly tables: readonly Table[];
  /** Figures too many for a table in the README. */
  readonly details?: readonly Table[];
  readonly targets: readonly Target[];
  /** What could not be measured, and what the figures mean. */
  readonly notes: readonly string[];
}

/** All that was measured, as Markdown; without `details` as it stands in the README. */
export function renderFindings(
  machine: string,
  findings: readonly Findings[],
  details: boolean,
): string {
  return `${[
    machine,
    ...findings.flatMap((part) => [
      `### ${part.title}`,
      ...[...part.tables, ...(details ? (part.details ?? []) : [])].map(renderTable),
      ...(part.notes.length > 0 ? [part.notes.map(renderNote).join('\n')] : []),
    ]),
    '### Targets',
    renderTable(targetTable(findings.flatMap(({ targets }) => targets))),
  ].join('\n\n')}\n`;
}

/** A note's first line: what a program has said on its end may be long, and is in the JSON. */
function renderNote(note: string): string {
  return `- ${note.split('\n', 1)}`;
}

function targetTable(targets: readonly Target[]): Table {
  return {
    head: ['Target', 'Bound', 'Measured', 'Verdict'],
    rows: targets.map((target) => [
      target.title,
      describeBound(target),
      describeFigure(target),
      isMet(target) ? 'met' : 'missed',
    ]),
  };
}
