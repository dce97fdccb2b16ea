/** The parts of the interface that requirements are grouped by. */
export const areas = [
  'create',
  'record',
  'inheritance',
  'list',
  'authentication',
  'media',
  'observe',
] as const;

/** A part of the interface. */
export type Area = (typeof areas)[number];

/** How binding a requirement is, the most binding level first. */
export const levels = ['must', 'should', 'observe'] as const;

/**
 * How binding a requirement is. `must`: the interface states it, or it necessarily follows. `should`: a
 * careful reader expects it. `observe`: the interface does not say; the behaviour is noted, never judged.
 */
export type Level = (typeof levels)[number];

/** What a requirement is based on: the interface's own words, or a conclusion from them. */
export type Basis =
  | { readonly kind: 'stated' }
  | { readonly kind: 'derived'; readonly because: string };

/** What every requirement has, with or without a check. */
export interface RequirementFacts {
  /** Such as `RECORD-3`; stable, and never reused for another requirement. */
  readonly id: string;
  readonly area: Area;
  /** Where the interface says so, such as `4.2 rule 3`. */
  readonly clause: string;
  readonly level: Level;
  /** What a conformant target does, in one sentence. */
  readonly statement: string;
  readonly basis: Basis;
}
