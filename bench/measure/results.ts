/** Rows of text below a head; the first column is words, the others are figures. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A figure, and the bound that it should keep within. */
export interface Target {
  readonly title: string;
  readonly figure: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** Stands behind the figures; `×` for a ratio. */
  readonly unit: string;
}

/** What one part of the bench has measured. */
export interface Findings {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly targets: readonly Target[];
  /** What could not be measured, and what the figures mean. */
  readonly notes: readonly string[];
}

/** A target that a small figure reaches. */
export function atMost(bound: number, title: string, figure: number, unit = '×'): Target {
  return { title, figure, bound: { atMost: bound }, unit };
}

/** A target that a large figure reaches. */
export function atLeast(bound: number, title: string, figure: number, unit = '×'): Target {
  return { title, figure, bound: { atLeast: bound }, unit };
}

/** Whether the figure keeps within its bound; one that was not measured, `NaN`, does not. */
export function isMet({ figure, bound }: Target): boolean {
  return 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
}

/** A number with the digits that mean something: 0.83, 4.2, 350, 12,345. */
export function figureText(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}

/** All that was measured, as Markdown. */
export function renderFindings(machine: string, findings: readonly Findings[]): string {
  const blocks = [
    machine,
    ...findings.flatMap(({ title, tables, notes }) => [
      `## ${title}`,
      ...tables.map(renderTable),
      // A program's last words may be long: the first line is here, all of them are in the JSON.
      ...(notes.length > 0 ? [notes.map((note) => `- ${note.split('\n', 1)}`).join('\n')] : []),
    ]),
    '## Targets',
    renderTable(targetTable(findings.flatMap(({ targets }) => targets))),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function targetTable(targets: readonly Target[]): Table {
  const rows = targets.map((target) => {
    const { title, figure, bound, unit } = target;
    const bounds = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const measured = `${figureText(figure)} ${unit}`;
    return [title, `${bounds} ${unit}`, measured, isMet(target) ? 'yes' : 'no'];
  });
  return { head: ['Target', 'Bound', 'Measured', 'Reached'], rows };
}

/** Columns are padded, so that a terminal shows the table as well as a page does. */
function renderTable({ head, rows }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) =>
      column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
