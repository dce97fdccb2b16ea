import { controlPath } from '../../mocks/messages/tester-request.ts';
import { createMock, createUnwatchedMock, type Mock } from '../../mocks/mock.ts';
import type { VariantName } from '../../mocks/variants/families.ts';
import { readVariants } from '../../mocks/variants/read-variants.ts';
import type { Variant } from '../../mocks/variants/variant.ts';
import { variants } from '../../mocks/variants/variants.ts';
import { inParallel } from '../../target/requests/scheduling.ts';
import { mockOrigin } from '../../target/requests/well-known.ts';
import { isViolation, type Result } from '../model/report.ts';
import { run } from '../run-suite.ts';
import { mutants } from './catalogue.ts';
import type { LegalService, LegalServices } from './legal-services.ts';
import type { Mutant } from './mutant.ts';

/** Where a mock seems to be, its key, and how the suite goes live on it. */
function accessTo({ prefix, apiKey }: Mock) {
  const provider = { controlUrl: mockOrigin + controlPath };
  return { baseUrl: mockOrigin + prefix, apiKey, provider };
}

/** How many runs of the suite are under way at the same time. */
const atOnce = 4;

/**
 * How many milliseconds to wait for recordings. Those of mutants are ready at once; late variants need a few
 * more requests; a variant with an open requirement uses all of it.
 */
const patience = { mutant: 1, variant: 120_000, openVariant: 1_000 };

/**
 * What is missing from a full score, one line each. Runs every mutant against its own check, which must fail,
 * and legal services against the whole suite, which must pass.
 */
export async function scoreSuite(legalServices: LegalServices): Promise<string[]> {
  const services = Object.entries(legalServices);
  const slow = services.filter(([, { isSlow }]) => isSlow);
  // They only wait, so they need no turn of their own.
  const slowGaps = inParallel(slow, slow.length, scoreService);
  const survivors = await findSurvivors(Object.entries(mutants));
  const serviceGaps = [
    await inParallel(
      services.filter(([, { isSlow }]) => !isSlow),
      atOnce,
      scoreService,
    ),
    await slowGaps,
  ];
  // Some mutants depend on time: one that a busy machine has saved is tried again by itself.
  const mutantGaps = await inParallel(survivors, 1, scoreMutant);
  return [...mutantGaps.flat(), ...serviceGaps.flat(2)];
}

/** The mutants that their own checks do not kill. */
async function findSurvivors(
  all: readonly (readonly [string, Mutant])[],
): Promise<(readonly [string, Mutant])[]> {
  const isSurvivor = await inParallel(all, atOnce, async (one) => {
    const gaps = await scoreMutant(one);
    return gaps.length > 0;
  });
  return all.filter((_, index) => isSurvivor[index]);
}

/** Runs the check of the requirement that a mutant breaks against the mutant. */
async function scoreMutant([name, mutant]: readonly [string, Mutant]): Promise<string[]> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const send = mutant.rewrite(mock.fetch);
  const only = [mutant.breaks];
  const { results } = await run({ ...accessTo(mock), send, patience: patience.mutant, only });
  return results
    .filter((result) => !isViolation(result) || result.evidence.length === 0)
    .map(({ id, outcome, message = '' }) => `${name}: ${id} ended as ${outcome}: ${message}`);
}

/** A mock that behaves as a legal service does. Its recordings are ready at once, unless the service says otherwise. */
export function makeService(service: LegalService): Mock {
  const { variant, dialect, faults = [], rewrite, recordingDelay = 0 } = service;
  const dialects = [dialect, ...(variant ? readVariants(variant) : []).map(dialectOfVariant)];
  const saysWhenReady = dialects.some((one) => one?.behaviours?.['time.ready'] !== undefined);
  const mock = createUnwatchedMock({
    now: Date.now,
    ...(!saysWhenReady && { recordingDelay }),
    ...(dialect && { dialect: { dialect: 3, ...dialect } }),
    ...(variant && { variant }),
    faults,
    // With any other key, the mock would list the sessions of another world.
    apiKeys: ['test-demo'],
  });
  return { ...mock, fetch: rewrite?.(mock.fetch) ?? mock.fetch };
}

function dialectOfVariant(name: VariantName): Variant['dialect'] {
  return variants[name].dialect;
}

/** Runs the whole suite against a legal service. */
async function scoreService([name, service]: readonly [string, LegalService]): Promise<string[]> {
  const { prepare, open = [], misses = [], isSlow } = service;
  const mock = makeService(service);
  const recordedStream = await prepare?.(await mock.world());
  const { verdict, results } = await run({
    ...accessTo(mock),
    ...(recordedStream && { provider: { recordedStream } }),
    patience: open.length === 0 ? patience.variant : patience.openVariant,
    timeout: patience.variant,
    // Its responses are waited for, not worked for.
    ...(isSlow && { concurrency: 64 }),
    send: mock.fetch,
  });
  const isOpen = recordedStream !== undefined || open.length > 0;
  const against = results.filter((result) =>
    misses.includes(result.id)
      ? result.outcome !== 'unmet'
      : isAgainst(result, recordedStream !== undefined || open.includes(result.id)),
  );
  const gaps = against.map(({ id, outcome, message = '' }) => `${id} ${outcome}: ${message}`);
  if (verdict !== (isOpen ? 'incomplete' : 'conformant')) gaps.push(`the verdict is ${verdict}`);
  return gaps.map((gap) => `${name} is legal: ${gap}`);
}

/** Requirements that a given stream or an open variant leaves open may be blocked, but must not fail. */
function isAgainst(result: Result, isOpen: boolean): boolean {
  const { level, outcome } = result;
  if (isViolation(result) || outcome === 'error') return true;
  return outcome === 'blocked' && level !== 'observe' && !isOpen;
}
