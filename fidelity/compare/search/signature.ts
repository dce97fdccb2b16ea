import type { Difference } from '../run/run-sequence.ts';

/** What a difference is, whatever sequence it was found in. */
export interface Signature {
  readonly operation: string;
  /** Everything that is not usual in the shortest request that shows it. */
  readonly about: readonly string[];
  readonly where: string;
  /** What is there on each side. */
  readonly kinds: readonly [string, string];
}

export function signatureOf({ described, finding }: Difference): Signature {
  const { operation, about } = described;
  return { operation, about, where: finding.where, kinds: finding.kinds };
}

/** Whether two differences are the same one, in requests that may have more in them that is not usual. */
function isSame(one: Signature, other: Signature): boolean {
  return (
    one.operation === other.operation &&
    one.where === other.where &&
    one.kinds[0] === other.kinds[0] &&
    one.kinds[1] === other.kinds[1]
  );
}

/** Whether a difference is a known one: the same, and what shows the known one is in its request. */
export function covers(known: Signature, found: Signature): boolean {
  return isSame(known, found) && known.about.every((words) => found.about.includes(words));
}

/** A signature as one line, which a file of known differences names. */
export function writeSignature({ operation, about, where, kinds }: Signature): string {
  const described = about.length === 0 ? operation : `${operation} (${about.join(', ')})`;
  return `${described} | ${where} | ${kinds.join(' ≠ ')}`;
}

/** Whether a written signature names the same difference, whatever is not usual in its request. */
export function isLike(written: string, { operation, where, kinds }: Signature): boolean {
  const rest = ` | ${where} | ${kinds.join(' ≠ ')}`;
  const described = written.slice(0, -rest.length);
  return written.endsWith(rest) && described.split(' ')[0] === operation;
}
