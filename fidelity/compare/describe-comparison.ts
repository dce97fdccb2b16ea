import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { hiddenBy } from '../../interface/silent.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { Comparison, FoundDifference, Line } from './model/comparison.ts';
import { type KnownDifference, reasonToWrite } from './model/known.ts';
import { accepts } from './model/signature.ts';
import type { CompareOptions } from './options.ts';
import type { State } from './search/state.ts';

/** What keeps two services from being compared. */
export type Obstacle = Pick<Comparison, 'unreachable' | 'withoutSessions'>;

/** What is known of a search beside what it found. */
interface Ended
  extends Obstacle,
    Pick<Comparison, 'duration' | 'sides' | 'withSessions' | 'leftBehind'> {
  /** Milliseconds since 1970. */
  readonly started: number;
}

/** What was found, without keys. */
export function describeComparison(
  options: CompareOptions,
  state: State,
  { started, leftBehind, unreachable, withoutSessions, ...ended }: Ended,
): Comparison {
  const secrets = secretsIn(options);
  const { known = [], signal } = options;
  const isWhole =
    unreachable === undefined && withoutSessions === undefined && options.path === undefined;
  return {
    format: 'livestream-mock/comparison',
    version: 1,
    tool: version,
    startedAt: new Date(started).toISOString(),
    ...ended,
    compared: redact(comparedIn(options), secrets),
    seed: options.seed ?? 1,
    differences: state.found
      .map((one) => withReason(withoutKeys(one, secrets), known, secrets))
      .toSorted((one, other) => weightOf(other) - weightOf(one)),
    ...missingOf(isWhole ? known : [], state),
    unsteady: state.unsteady.length,
    unconfirmed: state.unconfirmed,
    knownDuration: state.knownDuration,
    unknown: state.unknown,
    unanswered: state.unanswered,
    neverAnswered: [...state.answered].flatMap(([name, isAnswered]) => (isAnswered ? [] : name)),
    unknownReasons: redact([...state.unknownReasons], secrets),
    timeRanOut: state.timeRanOut,
    gaveUp: state.gaveUp,
    tooUnsteady: state.tooUnsteady,
    foundMost: state.foundMost,
    pathCutShort: state.pathCutShort,
    coverage: state.coverage.read(),
    ...(unreachable !== undefined && { unreachable: redact(unreachable, secrets) }),
    ...(withoutSessions !== undefined && { withoutSessions: redact(withoutSessions, secrets) }),
    ...(signal?.aborted && { interrupted: true as const }),
    leftBehind: [...redact(leftBehind, secrets), ...perhapsLeft(state)],
  };
}

/** What may be left of creations without a response, as a line. */
function perhapsLeft({ mayHaveCreated }: State): string[] {
  return mayHaveCreated ? ['perhaps streams, as a creation had no response'] : [];
}

/** The known differences that did not appear. */
function missingOf(
  known: readonly KnownDifference[],
  { found, gone }: State,
): Pick<Comparison, 'unseen' | 'notReached'> {
  const missing = known
    .map(({ signature }) => signature)
    .filter((signature) => !found.some((one) => accepts(signature, one.found)));
  return {
    unseen: missing.filter((signature) => gone.includes(signature)),
    notReached: missing.filter((signature) => !gone.includes(signature)),
  };
}

/** What the two sides are. */
function comparedIn({ baseUrl, other, dialect, dialectFile }: CompareOptions): [string, string] {
  if (other !== undefined) return [baseUrl, other.baseUrl];
  if (dialect === undefined) return [baseUrl, 'without a dialect'];
  const names = [
    ...(dialect.name === undefined ? [] : [JSON.stringify(dialect.name)]),
    ...(dialectFile === undefined ? [] : [dialectFile]),
  ];
  return [baseUrl, `with the dialect ${names.join(', ')}`.trimEnd()];
}

/** Every key that no report may show, also those that are almost right. */
export function secretsIn({ apiKey, otherApiKey, other }: CompareOptions): string[] {
  return [apiKey, otherApiKey, other?.apiKey, other?.otherApiKey]
    .filter((key) => key !== undefined)
    .flatMap(secretsOf);
}

/** A difference with why it is accepted, or with the entry that would accept it. */
function withReason(
  one: FoundDifference,
  known: readonly KnownDifference[],
  secrets: readonly string[],
): FoundDifference {
  const { signature, found, seed, path } = one;
  const accepted =
    known.find((entry) => entry.signature === signature) ??
    known.find((entry) => accepts(entry.signature, found));
  if (accepted !== undefined) return { ...one, known: redact(accepted.reason, secrets) };
  return { ...one, entry: { signature, reason: reasonToWrite, seed, path } };
}

/** A difference whose lines have no keys: their values come from a target, their rows do not. */
function withoutKeys(one: FoundDifference, secrets: readonly string[]): FoundDifference {
  const { line, others, stated, applied } = one;
  const hide = <Shown extends Line>(shown: Shown): Shown => ({
    ...redact(shown, secrets),
    row: shown.row,
  });
  return {
    ...one,
    ...(line && { line: hide(line) }),
    ...(others && { others: others.map(hide) }),
    ...(stated && { stated: hide(stated) }),
    ...(applied && { applied: applied.map(hide) }),
  };
}

/**
 * How much a difference tells: first what hides other rows, such as an absent operation, then statuses,
 * bodies and headers, usual requests and short sequences first.
 */
function weightOf({ found, transcript, known, line }: FoundDifference): number {
  const hides = line !== undefined && hiddenBy(line.row, line.value).length > 0;
  const kind = found.where === 'status' ? 300 : found.where.startsWith('header') ? 100 : 200;
  const length = 10 * found.about.length + transcript.steps.length;
  return (known === undefined ? 1_000 : 0) + (hides ? 400 : 0) + kind - length;
}
