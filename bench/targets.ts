/** What a part of the bench measures with. */
export interface BenchRun {
  /** How long, and how often. */
  readonly extent: {
    /** Of each load. */
    readonly seconds: number;
    /** Of loads, and of checks. */
    readonly rounds: number;
    readonly starts: number;
    /** Requests of each kind, one after another. */
    readonly requests: number;
    /** Streams of the crowded world that is compared with a small one. */
    readonly streams: number;
  };
  /** An empty folder, which is removed at the end. */
  readonly folder: string;
  /** Tells a person how far it is. */
  readonly say: (line: string) => void;
}

/** A figure, and the bound that it should keep within. */
export interface Goal {
  readonly title: string;
  readonly figure: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** Stands behind the figures; `×` for a ratio. */
  readonly unit: string;
  /** What a ratio was computed from. */
  readonly from: string;
}

/** A target that a small figure reaches. */
export function atMost(bound: number, title: string, figure: number, unit: string): Goal {
  return { title, figure, bound: { atMost: bound }, unit, from: '' };
}

/** A target for one figure beside another, which a small ratio reaches. */
export function ratioAtMost(bound: number, title: string, own: number, other: number): Goal {
  const from = `${figureText(own)} / ${figureText(other)}`;
  return { ...atMost(bound, title, own / other, '×'), from };
}

/** A target for one figure beside another, which a large ratio reaches. */
export function ratioAtLeast(bound: number, title: string, own: number, other: number): Goal {
  return { ...ratioAtMost(bound, title, own, other), bound: { atLeast: bound } };
}

/** Whether the figure keeps within its bound; one that was not measured, `NaN`, does not. */
export function isMet({ figure, bound }: Goal): boolean {
  return 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
}

/** A number with the digits that mean something: 0.83, 4.2, 350, 12,345. */
function figureText(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}

const head = ['Target', 'Bound', 'Measured', 'From', 'Reached'];

/** All targets as a Markdown table, padded so that a terminal shows it as well as a page does. */
export function renderTargets(targets: readonly Goal[]): string {
  const rows = targets.map((target) => {
    const { title, figure, bound, unit, from } = target;
    const bounds = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const measured = `${figureText(figure)} ${unit}`;
    return [title, `${bounds} ${unit}`, measured, from, isMet(target) ? 'yes' : 'no'];
  });
  const widths = head.map((name, column) =>
    Math.max(...[name, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  const rule = widths.map((width, column) => (column === 0 ? '' : ':').padStart(width, '-'));
  const lines = [head, rule, ...rows].map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  });
  return lines.join('\n');
}
