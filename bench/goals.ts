/** What each part of the benchmark gets. */
export interface BenchRun {
  /** How long to measure, and how often. */
  readonly extent: {
    /** The length of each load. */
    readonly seconds: number;
    /** The number of loads, and of checks. */
    readonly rounds: number;
    readonly starts: number;
    /** Streams of the crowded world that is compared with a small one. */
    readonly streams: number;
  };
  /** An empty folder, which is removed at the end. */
  readonly folder: string;
  /** Reports progress to a person. */
  readonly say: (line: string) => void;
}

/** A figure, and the bound that it should keep within. */
export interface Goal {
  readonly title: string;
  readonly figure: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** Follows the figures; `×` for a ratio. */
  readonly unit: string;
}

/** A goal for a figure that should be small. */
export function atMost(bound: number, title: string, figure: number, unit: string): Goal {
  return { title, figure, bound: { atMost: bound }, unit };
}

/** A goal for the ratio of two figures, which should be small. */
export function ratioAtMost(bound: number, title: string, own: number, other: number): Goal {
  return atMost(bound, title, own / other, '×');
}

/** A goal for the ratio of two figures, which should be large. */
export function ratioAtLeast(bound: number, title: string, own: number, other: number): Goal {
  return { title, figure: own / other, bound: { atLeast: bound }, unit: '×' };
}

/** All goals as a Markdown table. A figure that was not measured is `NaN`, and never reaches its bound. */
export function renderGoals(goals: readonly Goal[]): string {
  const rows = goals.map(({ title, figure, bound, unit }) => {
    const isReached = 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
    const bounds = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const measured = `${Number(figure.toPrecision(3))} ${unit}`;
    return `| ${title} | ${bounds} ${unit} | ${measured} | ${isReached ? 'yes' : 'no'} |`;
  });
  const head = '| Target | Bound | Measured | Reached |\n| --- | --: | --: | --: |';
  return [head, ...rows].join('\n');
}
