/** How much is measured by default. */
export const standardExtent = {
  /** The length of each load. */
  seconds: 2,
  /** The number of loads, and of checks. */
  rounds: 3,
  starts: 11,
  /** Streams of the crowded world that is compared with a small one. */
  streams: 100_000,
};

/** What each part of the benchmark gets. */
export interface BenchRun {
  readonly extent: typeof standardExtent;
  /** An empty folder, which is removed at the end. */
  readonly folder: string;
  /** Reports progress to a person. */
  readonly say: (line: string) => void;
}

/** A figure, and the bound that it should keep within. */
export type Goal = ReturnType<typeof goalOf>;

type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** A goal for a figure. Its unit follows the figure; by default it is a ratio. */
export function goalOf(title: string, figure: number, bound: Bound, unit = '×') {
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
