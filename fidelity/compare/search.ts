import * as fc from 'fast-check';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { controlPath } from '../../mocks/messages/tester-request.ts';
import { createMock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { deletedAtOnce, deleteTargetStream } from '../../target/clean-up.ts';
import { createGate } from '../../target/requests/gate.ts';
import { inParallel } from '../../target/requests/scheduling.ts';
import { mockOrigin } from '../../target/requests/well-known.ts';
import { type ConnectionOptions, connect, type TargetConnection } from '../target-connection.ts';
import type { ComparedService } from './both-sides.ts';
import { type Difference, differenceNamed, outOfTime } from './comparison.ts';
import { deltaDebug } from './delta-debugging.ts';
import type { KnownDifference } from './known-differences.ts';
import { type Move, requestOf } from './moves.ts';
import { endLiveSession, type SequenceRun, type SessionBudget, startRun } from './sequence-run.ts';
import { runSequence, type SequenceStep } from './sequence-steps.ts';
import { sequences } from './sequences.ts';
import { nameInStep, noteSteps, type Tally } from './tally.ts';

/** Which sequences are run, on which mocks, and for how long. */
export interface SearchOptions extends ConnectionOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: Dialect;
  /** The same seed makes the same sequences; default 1. */
  seed?: number;
  /** Differences that are accepted; the sequences that show them are run first. */
  known?: readonly KnownDifference[];
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Operations after which no further sequence begins; default no limit. */
  operations?: number;
  /** How many sessions random sequences may make, as a service may keep them; default 50. */
  maxSessions?: number;
  /** Differences after which the search ends; default 100. */
  maxDifferences?: number;
  onProgress?: (operations: number, differences: number) => void;
}

/** What is compared: one target with mocks or an archive, or two targets. */
export type Targets = readonly [TargetConnection, ...TargetConnection[]];

/** Where sequences are run, and how long. */
export type Search = ReturnType<typeof startSearch>;

/** Milliseconds after the end of the search in which to confirm its last difference. */
const longestEnd = 5_000;
/** Creations without an id in the response, after which the search ends. */
const maxUnusable = 3;

/** How many sessions random sequences may make, unless another limit is given. */
export const defaultMaxSessions = 50;

/** Starts the time of a search. */
export function startSearch(targets: Targets, options: SearchOptions, tally: Tally) {
  const [target, second] = targets;
  const { now, pause, patience } = target;
  const { dialect, time = 60_000, maxSessions = defaultMaxSessions } = options;
  // The first one has shown that the target can go live.
  const sessionBudget: SessionBudget = { left: maxSessions - 1, missing: 0 };
  const end = now() + time;
  return {
    targets,
    tally,
    /** The second side of a sequence. */
    openSecondSide: () => second ?? connectMock({ now, ...(dialect && { dialect }) }),
    /** How many sessions its random sequences may still make. */
    sessionBudget,
    /** Random sequences. */
    arbitrary: sequences(target.origin),
    /** What all runs share. */
    shared: { clock: { now, pause }, patience, sharedLists: new Set<string>() },
    /** Whether even a sequence under way ends. */
    isOver: () => target.stopSignal.aborted || now() >= end + longestEnd,
    /** Why no further sequence begins; then no sequence is made shorter either. */
    endReason(): string | undefined {
      const counts = targets.map(({ creations }) => creations.unusable);
      if (Math.max(...counts) >= maxUnusable) {
        return 'new streams have no usable id, so they cannot be deleted';
      }
      return now() >= end ? outOfTime : undefined;
    },
  };
}

/** A mock in this process, which has not run another sequence. */
export function connectMock(options: Pick<MockOptions, 'now' | 'dialect'>): ComparedService {
  const { apiKey, prefix, fetch: send } = createMock(options);
  const provider = { controlUrl: mockOrigin + controlPath };
  const gate = createGate({ holdsNothingElse: true });
  return connect({ apiKey, baseUrl: mockOrigin + prefix, send, provider }, gate);
}

/** Sequences in a row without any response, after which the search gives up. */
const maxSilent = 10;
/** Differences that did not appear again, after which the search ends. */
const maxUnsteady = 30;

/** Runs random sequences, and notes their differences, until the search is over. */
export async function searchAtRandom(search: Search, options: SearchOptions): Promise<void> {
  const { endReason, isOver, tally } = search;
  const { comparison, unsteady } = tally;
  const { operations = Number.POSITIVE_INFINITY, maxDifferences = 100 } = options;
  // A search sees everything that the interface states.
  comparison.byOperation = { createStream: 0, setRecord: 0, listSessionsOfStream: 0 };
  let silent = 0;
  const endNow = (): string | undefined => {
    if (comparison.differences.length >= maxDifferences) return 'enough differences were found';
    if (unsteady.size >= maxUnsteady) return 'too many differences were unsteady';
    if (silent >= maxSilent) return 'a side no longer responded';
    return endReason();
  };
  // First find out which lists contain items of others.
  await runOnce(search, [requestOf('listStreams'), requestOf('listSessions')]);
  for (const turn of turnsOf(options)) {
    options.onProgress?.(comparison.operations, comparison.differences.length);
    comparison.end = endNow();
    const { known, ...source } = turn;
    const isEnough = known === undefined && comparison.operations >= operations;
    if (comparison.end !== undefined || isEnough || isOver()) return;
    const [moves = []] = fc.sample(search.arbitrary, parametersOf(turn));
    const steps = await runOnce(search, moves);
    comparison.sequences += 1;
    await noteSteps(tally, steps, (prefix, name) => confirm(search, prefix, name), source);
    comparison.missingSessions = search.sessionBudget.missing;
    silent = steps.some(({ responses }) => responses !== undefined) ? 0 : silent + 1;
    if (known === undefined || differenceNamed(comparison, known)) continue;
    // Without all responses, nobody knows whether it would have appeared.
    const isWhole = steps.every(({ unanswered }) => unanswered === undefined) && !isOver();
    if (isWhole) comparison.unseen.push(known);
    else unsteady.add(known);
  }
}

/** A random sequence to run, and the known difference that it should show. */
type Turn = Required<Pick<Difference, 'seed' | 'sequence'>> & { readonly known?: string };

function* turnsOf({ known = [], seed = 1 }: SearchOptions): Generator<Turn> {
  for (const { difference, sequence, seed: knownSeed = 1 } of known) {
    if (sequence !== undefined) yield { seed: knownSeed, sequence, known: difference };
  }
  for (let sequence = 0; ; sequence++) yield { seed, sequence };
}

/** What fast-check needs to generate the same sequence each time. Neighbouring numbers give unlike seeds. */
function parametersOf({ seed, sequence }: Turn) {
  const mixedSeed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
  return { seed: mixedSeed, numRuns: 1, unbiased: true };
}

/** Does some work, and then deletes the streams that it created, even if it fails. */
export async function thenCleanUp<Result>(targets: Targets, work: () => Promise<Result>) {
  // What earlier work could not delete is tried again at the end of the run.
  const before = targets.map(({ creations }) => creations.streams.length);
  try {
    return await work();
  } finally {
    const cleaned = targets.map(({ target, creations: { streams } }, index) =>
      inParallel(streams.slice(before[index]), deletedAtOnce, async (id) => {
        const isDeleted = await deleteTargetStream(target, id);
        if (isDeleted) streams.splice(streams.lastIndexOf(id), 1);
      }),
    );
    await Promise.all(cleaned);
  }
}

/** Does some work with a new run, then ends its live sessions and deletes its streams. */
export async function withRun<Result>(
  search: Search,
  setup: Pick<SequenceRun, 'services' | 'isReplay' | 'sessionBudget'>,
  work: (run: SequenceRun) => Promise<Result>,
): Promise<Result> {
  const { shared, targets } = search;
  const run = startRun({ ...shared, ...setup });
  return thenCleanUp(targets, async () => {
    try {
      return await work(run);
    } finally {
      for (const item of run.items) await endLiveSession(item).catch(() => {});
    }
  });
}

/** Runs a sequence on both sides, and cleans up. */
async function runOnce(
  search: Search,
  moves: readonly Move[],
  isEnough: (step: SequenceStep) => boolean = () => false,
): Promise<readonly SequenceStep[]> {
  const { targets, openSecondSide, isOver, sessionBudget } = search;
  return withRun(search, { services: [targets[0], openSecondSide()], sessionBudget }, (run) =>
    runSequence(run, moves, (step) => isOver() || isEnough(step)),
  );
}

/** Milliseconds in which a shorter sequence is looked for, as some wait for recordings. */
const longestSearch = 2_000;

/**
 * Makes the moves of a difference again, from the start, and then fewer of them.
 * @param moves up to the one that showed the difference
 * @returns the steps of the shortest sequence that shows it; none if it does not appear again
 */
async function confirm(search: Search, moves: readonly Move[], name: string) {
  const { shared, endReason, sessionBudget, tally } = search;
  const { clock } = shared;
  const end = clock.now() + longestSearch;
  const last = moves.slice(-1);
  /** The steps up to the one that shows the difference. */
  const repeat = async (before: readonly Move[]): Promise<readonly SequenceStep[]> => {
    const shows = (step: SequenceStep): boolean =>
      step.findings.some((finding) => nameInStep(tally.dialect, step, finding) === name);
    const steps = await runOnce(search, [...before, ...last], shows);
    return steps.slice(0, steps.findIndex(shows) + 1);
  };
  const mayRepeat = (before: readonly Move[]): boolean => {
    const sessions = before.filter((move) => 'start' in move).length;
    // The last repetition needs sessions, too.
    const isAffordable = 2 * sessions <= sessionBudget.left;
    return isAffordable && clock.now() < end && endReason() === undefined;
  };
  const before = moves.slice(0, -1);
  if ((await repeat(before)).length === 0) return [];
  const needed = await deltaDebug(before, async (fewer) => {
    return mayRepeat(fewer) && (await repeat(fewer)).length > 0;
  });
  // Sent once more, the shortest one exposes a service that varies at random.
  return repeat(needed);
}
