/** What is aimed at, and what was measured. */
export interface Target {
  readonly title: string;
  readonly figure: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** Stands behind the figures; `×` for a ratio. */
  readonly unit: string;
}

/** Whether the figure keeps within its bound. */
export function isMet({ figure, bound }: Target): boolean {
  return 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
}

/** The bound in words. */
export function describeBound({ bound, unit }: Target): string {
  return 'atLeast' in bound
    ? `at least ${withUnit(bound.atLeast, unit)}`
    : `at most ${withUnit(bound.atMost, unit)}`;
}

/** The figure with its unit. */
export function describeFigure({ figure, unit }: Target): string {
  return withUnit(figure, unit);
}

function withUnit(value: number, unit: string): string {
  return `${figureText(value)} ${unit}`;
}

/** A number with the digits that mean something: 0.83, 4.2, 350, 12,345. */
export function figureText(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
