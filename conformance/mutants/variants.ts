import type { Dialect } from '../../interface/dialect.ts';
import type { WrittenCell } from '../../interface/refusals.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { Result } from '../model/report.ts';
import { run } from '../run.ts';
import type { Fetch } from './rewrite.ts';
import { chain, type Variant } from './variant.ts';
import { mediaVariants } from './variants-media.ts';
import { responseVariants } from './variants-responses.ts';
import { servedVariants } from './variants-served.ts';
import { sessionVariants } from './variants-sessions.ts';

/** Every legal variant of the mock, by name. */
export const variants: Readonly<Record<string, Variant>> = {
  unchanged: { description: 'The mock as it is.', dialect: {} },
  ...responseVariants,
  ...sessionVariants,
  ...mediaVariants,
  ...servedVariants,
};

/** The variant of a name. @throws RangeError for another name */
export function findVariant(name: string): Variant {
  const variant = variants[name];
  if (variant === undefined) throw new RangeError(`no variant is called ${JSON.stringify(name)}`);
  return variant;
}

/** A mock that behaves as several variants together do, in the order of their dialects. */
export function makeVariant(...made: readonly Variant[]): { mock: Mock; fetch: Fetch } {
  const dialects = made.map((variant) => ('dialect' in variant ? variant.dialect : {}));
  const mock = createMock({ now: Date.now, dialect: merged(dialects) });
  const changes = made.flatMap((variant) => ('make' in variant ? (variant.make ?? []) : []));
  return { mock, fetch: chain(...changes)(mock.fetch) };
}

function merged(dialects: readonly Omit<Dialect, 'dialect'>[]): Dialect {
  const refusals: Record<string, Readonly<Record<string, WrittenCell>>> = {};
  for (const { refusals: own = {} } of dialects) {
    for (const [asked, cells] of Object.entries(own)) {
      refusals[asked] = { ...refusals[asked], ...cells };
    }
  }
  const behaviours = dialects.map((dialect) => dialect.behaviours ?? {});
  return {
    ...Object.assign({}, ...dialects),
    dialect: 2,
    refusals,
    behaviours: Object.assign({ 'time.ready': 0 }, ...behaviours),
  };
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
  const { mock, fetch } = makeVariant(variant);
  const served = 'serve' in variant ? await variant.serve?.(fetch) : undefined;
  const origin = served?.origin ?? 'http://mock.test';
  const recordedStream = await prepare?.(await mock.world());
  try {
    const { verdict, results } = await run({
      baseUrl: `${origin}/api`,
      apiKey: mock.apiKey,
      provider: recordedStream ? { recordedStream } : { controlUrl: `${origin}/_mock` },
      patience: open.length === 0 ? patience.usual : patience.open,
      timeout: patience.usual,
      ...(served === undefined && { send: fetch }),
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
    await served?.close();
  }
}

/** Requirements that a given stream or an open variant leaves undecided may be blocked, but not fail. */
function isAgainst({ level, outcome }: Result, isOpen: boolean): boolean {
  if (level === 'observe') return outcome === 'fail' || outcome === 'error';
  return outcome === 'fail' || outcome === 'error' || (outcome === 'blocked' && !isOpen);
}
