import { createMock } from '../../mocks/mock.ts';
import type { Result } from '../model/report.ts';
import { run } from '../run.ts';
import type { Served, Variant } from './variant.ts';
import { mediaVariants } from './variants-media.ts';
import { responseVariants } from './variants-responses.ts';
import { servedVariants } from './variants-served.ts';
import { sessionVariants } from './variants-sessions.ts';

/** Every legal variant of the mock, by name. */
export const variants: Readonly<Record<string, Variant>> = {
  unchanged: { description: 'The mock as it is.' },
  ...responseVariants,
  ...sessionVariants,
  ...mediaVariants,
  ...servedVariants,
};

/** How the whole suite judged a variant. */
export interface VariantJudgement {
  readonly passed: boolean;
  /** Requirements that it was not found to satisfy, with the messages of their checks. */
  readonly against: readonly { readonly requirement: string; readonly message: string }[];
}

/** Milliseconds: late variants need a few more requests; an open requirement uses up all of it. */
const patience = { usual: 120_000, open: 1_000 };

/** Runs the whole suite against a variant: it passes if nothing fails that it must satisfy. */
export async function judgeVariant(name: string): Promise<VariantJudgement> {
  const variant = variants[name];
  if (variant === undefined) throw new RangeError(`no variant is called ${JSON.stringify(name)}`);
  const { make = (next) => next, serve, prepare, open = [] } = variant;
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const fetch = make(mock.fetch);
  const served: Served | undefined = await serve?.(fetch);
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
    const against = results.filter((result) => isAgainst(result, isOpen(result)));
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
