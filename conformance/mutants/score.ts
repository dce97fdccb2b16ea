import { createMock } from '../../mocks/mock.ts';
import { requirements } from '../checks/catalogue.ts';
import type { TestableRequirement } from '../checks/requirement.ts';
import { inParallel } from '../run/parallel.ts';
import { run } from '../run.ts';
import { breakFetch } from './break-fetch.ts';
import type { Fetch } from './rewrite.ts';
import { judgeVariant, type VariantJudgement, variants } from './variants.ts';

/** How the check of the requirement that names a mutant judged it. */
interface MutantScore {
  readonly requirement: string;
  readonly mutant: string;
  /** How often the mutant changed something. */
  readonly applied: number;
  /** Whether that check ended as `fail`. */
  readonly killed: boolean;
  /** Outcome and message of the check. */
  readonly ended: string;
  /** How many exchanges the failure shows as evidence. */
  readonly evidence: number;
}

interface VariantScore extends VariantJudgement {
  readonly variant: string;
}

/** How the suite judged mutants, which must fail, and legal variants, which must pass. */
export interface Score {
  readonly mutants: readonly MutantScore[];
  readonly variants: readonly VariantScore[];
}

/** Requirements with a check that is judged. */
export const judged: readonly TestableRequirement[] = requirements.filter(
  (requirement) => 'check' in requirement && requirement.level !== 'observe',
) as TestableRequirement[];

/** Milliseconds. Recordings of the mock are ready at the first look, so there is nothing to wait for. */
const patience = 1;

/** Runs every mutant against its own check, and every variant against the whole suite. */
export async function scoreSuite(): Promise<Score> {
  const pairs = judged.flatMap(({ id, mutants: named }) => named.map((mutant) => ({ id, mutant })));
  return {
    mutants: await inParallel(pairs, atOnce, ({ id, mutant }) => scoreMutant(id, mutant)),
    variants: await inParallel(Object.entries(variants), atOnce, async ([name, variant]) => ({
      variant: name,
      ...(await judgeVariant(variant)),
    })),
  };
}

/** Runs of the suite under way at once. */
const atOnce = 4;

/** What is missing from a full score: mutants that survive, and legal variants that fail. */
export function findGaps({ mutants: killed, variants: passed }: Score): string[] {
  return [
    ...killed
      .filter((one) => !one.killed)
      .map(({ requirement, mutant, applied, ended }) =>
        applied === 0
          ? `${mutant} was never applied by the check of ${requirement}, which ended as ${ended}`
          : `${mutant} survives: ${requirement} ended as ${ended}`,
      ),
    ...killed
      .filter((one) => one.killed && one.evidence === 0)
      .map(({ requirement, mutant }) => `${mutant}: ${requirement} failed without evidence`),
    ...passed
      .filter((one) => !one.passed)
      .flatMap(({ variant, against }) =>
        against.map(({ requirement, message }) => `${variant} is legal: ${requirement} ${message}`),
      ),
  ];
}

/** Runs the check of one requirement against a mock that is broken by one mutant. */
async function scoreMutant(id: string, mutant: string): Promise<MutantScore> {
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
