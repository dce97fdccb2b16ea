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

/** A goal for a figure, by default for a ratio. */
export function goalOf(title: string, figure: number, bound: Goal['bound'], unit = '×'): Goal {
  return { title, figure, bound, unit };
}

/** Whether a figure keeps within its bound. One that was not measured is `NaN`, and does not. */
export function isReached({ figure, bound }: Goal): boolean {
  return 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
}

/** All goals as a Markdown table. */
export function renderGoals(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => {
    const { title, figure, bound, unit } = goal;
    const bounds = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const measured = `${Number(figure.toPrecision(3))} ${unit}`;
    return `| ${title} | ${bounds} ${unit} | ${measured} | ${isReached(goal) ? 'yes' : 'no'} |`;
  });
  const head = '| Target | Bound | Measured | Reached |\n| --- | --: | --: | --: |';
  return [head, ...rows].join('\n');
}
