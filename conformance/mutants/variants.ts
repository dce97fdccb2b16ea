import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { Result } from '../model/report.ts';
import { run } from '../run.ts';
import type { Variant } from './variant.ts';
import { variantsByDialect } from './variants-by-dialect.ts';
import { variantsByRewrite } from './variants-by-rewrite.ts';

/** Every legal variant of the mock, by name. */
export const variants: Readonly<Record<string, Variant>> = {
  ...variantsByDialect,
  ...variantsByRewrite,
};

/** A mock that behaves as a variant does. Its recordings are ready at once, unless the variant says otherwise. */
export function makeVariant({ dialect, rewrite }: Variant): Mock {
  const behaviours = { 'time.ready': 0, ...dialect?.behaviours };
  const mock = createMock({ now: Date.now, dialect: { dialect: 2, ...dialect, behaviours } });
  return { ...mock, fetch: rewrite?.(mock.fetch, () => {}) ?? mock.fetch };
}

/** How the whole suite judged a variant. */
export interface VariantJudgement {
  readonly passed: boolean;
  /** Requirements that it was not found to satisfy, with the messages of their checks. */
  readonly against: readonly { readonly requirement: string; readonly message: string }[];
}

/** Milliseconds: late variants need a few more requests; an open requirement uses up all of it. */
const patience = { usual: 120_000, open: 1_000 };

/** Runs the whole suite against a variant: it passes if nothing fails that it must satisfy. */
export async function judgeVariant(variant: Variant): Promise<VariantJudgement> {
  const { prepare, open = [], misses = [] } = variant;
  const mock = makeVariant(variant);
  const server = variant.isServed && (await serve(mock));
  const origin = server?.origin ?? 'http://mock.test';
  const recordedStream = await prepare?.(await mock.world());
  try {
    const { verdict, results } = await run({
      baseUrl: `${origin}/api`,
      apiKey: mock.apiKey,
      provider: recordedStream ? { recordedStream } : { controlUrl: `${origin}/_mock` },
      patience: open.length === 0 ? patience.usual : patience.open,
      timeout: patience.usual,
      ...(server === undefined && { send: mock.fetch }),
    });
    const isOpen = ({ id }: Result): boolean => recordedStream !== undefined || open.includes(id);
    const against = results.filter((result) =>
      misses.includes(result.id)
        ? result.level !== 'should' || result.outcome !== 'fail'
        : isAgainst(result, isOpen(result)),
    );
    const isWhole = recordedStream === undefined && open.length === 0;
    return {
      passed: against.length === 0 && verdict === (isWhole ? 'conformant' : 'incomplete'),
      against: against.map(({ id, outcome, message = '' }) => ({
        requirement: id,
        message: `${outcome}: ${message}`,
      })),
    };
  } finally {
    await server?.close();
  }
}

/** Requirements that a given stream or an open variant leaves undecided may be blocked, but not fail. */
function isAgainst({ level, outcome }: Result, isOpen: boolean): boolean {
  if (level === 'observe') return outcome === 'fail' || outcome === 'error';
  return outcome === 'fail' || outcome === 'error' || (outcome === 'blocked' && !isOpen);
}
