import { createMock } from '../../mocks/mock.ts';
import { requirements } from '../checks/catalogue.ts';
import type { TestableRequirement } from '../checks/requirement.ts';
import { inParallel } from '../run/parallel.ts';
import { run } from '../run.ts';
import { breakFetch, mutants } from './break-fetch.ts';
import type { Fetch } from './mutant.ts';
import { judgeVariant, misjudged, variants } from './variants.ts';

/** How one mutant ended, before the check of the requirement that names it. */
interface MutantScore {
  readonly requirement: string;
  readonly mutant: string;
  /** How often the mutant changed something. */
  readonly applied: number;
  /** Whether that check ended as `fail`. */
  readonly killed: boolean;
  /** What the check ended as, and with which message. */
  readonly ended: string;
  /** Exchanges that its failure rests on. */
  readonly evidence: number;
}

/** How one legal variant was judged by the whole suite. */
interface VariantScore {
  readonly variant: string;
  readonly passed: boolean;
  /** Why it is not counted, where it is not. */
  readonly excluded?: string;
  /** Requirements that the variant was not found to keep, with what their checks said. */
  readonly against: readonly { readonly requirement: string; readonly message: string }[];
}

/** Both sides: faults that have to be found, and liberties that have to be let pass. */
export interface Score {
  readonly mutants: readonly MutantScore[];
  readonly variants: readonly VariantScore[];
}

/** Requirements with a check that is judged. */
export const judged: readonly TestableRequirement[] = requirements.filter(
  (requirement) => 'check' in requirement && requirement.level !== 'observe',
) as TestableRequirement[];

/** Enough for a mock whose recordings are ready at once; a mutant that has none waits as long. */
const patience = 250;

/** Runs every mutant before its own check, and every variant before the whole suite. */
export async function scoreSuite(): Promise<Score> {
  const pairs = judged.flatMap(({ id, mutants: named }) => named.map((mutant) => ({ id, mutant })));
  return {
    mutants: await inParallel(pairs, atOnce, ({ id, mutant }) => scoreMutant(id, mutant)),
    variants: await inParallel(Object.keys(variants), atOnce, async (variant) => ({
      variant,
      ...(await judgeVariant(variant)),
      ...(misjudged[variant] !== undefined && { excluded: misjudged[variant] }),
    })),
  };
}

/** Runs of the suite under way at once. */
const atOnce = 4;

/**
 * What keeps the score from being whole: mutants that live, variants that are held to be wrong, and
 * exclusions that are none any more.
 */
export function findGaps({ mutants: killed, variants: passed }: Score): string[] {
  return [
    ...killed
      .filter((one) => !one.killed)
      .map(({ requirement, mutant, applied, ended }) =>
        applied === 0
          ? `${mutant} was never applied before ${requirement}, which ended as ${ended}`
          : `${mutant} lives: ${requirement} ended as ${ended}`,
      ),
    ...killed
      .filter((one) => one.killed && one.evidence === 0)
      .map(({ requirement, mutant }) => `${mutant}: ${requirement} failed without evidence`),
    ...passed
      .filter((one) => !one.passed && one.excluded === undefined)
      .flatMap(({ variant, against }) =>
        against.map(({ requirement, message }) => `${variant} is legal: ${requirement} ${message}`),
      ),
    ...passed
      .filter((one) => one.passed && one.excluded !== undefined)
      .map(({ variant }) => `${variant} passes: remove its exclusion`),
  ];
}

/** Runs the check of one requirement against a mock that is broken by one mutant. */
async function scoreMutant(id: string, mutant: string): Promise<MutantScore> {
  if (!Object.hasOwn(mutants, mutant)) {
    return {
      requirement: id,
      mutant,
      applied: 0,
      killed: false,
      ended: 'no such mutant',
      evidence: 0,
    };
  }
  let applied = 0;
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const send: Fetch = breakFetch(mutant, mock.fetch, () => {
    applied += 1;
  });
  const { results } = await run({
    baseUrl: 'http://mock.test/api',
    apiKey: mock.apiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    send,
    patience,
    only: [id],
  });
  const [result] = results;
  return {
    requirement: id,
    mutant,
    applied,
    killed: result?.outcome === 'fail' && applied > 0,
    ended: `${result?.outcome}${result?.message ? `: ${result.message}` : ''}`,
    evidence: result?.evidence.length ?? 0,
  };
}
