/** A figure, and the bound that it should keep within. */
export interface Target {
  readonly title: string;
  readonly figure: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** Stands behind the figures; `×` for a ratio. */
  readonly unit: string;
  /** What a ratio was computed from. */
  readonly from: string;
}

/** A target that a small figure reaches. */
export function atMost(bound: number, title: string, figure: number, unit: string): Target {
  return { title, figure, bound: { atMost: bound }, unit, from: '' };
}

/** A target for one figure beside another, which a small ratio reaches. */
export function ratioAtMost(bound: number, title: string, own: number, other: number): Target {
  return { ...atMost(bound, title, own / other, '×'), from: fraction(own, other) };
}

/** A target for one figure beside another, which a large ratio reaches. */
export function ratioAtLeast(bound: number, title: string, own: number, other: number): Target {
  return { ...ratioAtMost(bound, title, own, other), bound: { atLeast: bound } };
}

function fraction(own: number, other: number): string {
  return `${figureText(own)} / ${figureText(other)}`;
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

const head = ['Target', 'Bound', 'Measured', 'From', 'Reached'];

/** All targets as a Markdown table, padded so that a terminal shows it as well as a page does. */
export function renderTargets(targets: readonly Target[]): string {
  const rows = targets.map((target) => {
    const { title, figure, bound, unit, from } = target;
    const bounds = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const measured = `${figureText(figure)} ${unit}`;
    return [title, `${bounds} ${unit}`, measured, from, isMet(target) ? 'yes' : 'no'];
  });
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[], filler: string): string => {
    const [first = 0, ...others] = widths;
    const [title = '', ...figures] = cells;
    const padded = others.map((width, column) => (figures[column] ?? '').padStart(width, filler));
    return `| ${[title.padEnd(first, filler), ...padded].join(' | ')} |`;
  };
  const rule = head.map((_, column) => (column === 0 ? '-' : '-:'));
  return [line(head, ' '), line(rule, '-'), ...rows.map((row) => line(row, ' '))].join('\n');
}
