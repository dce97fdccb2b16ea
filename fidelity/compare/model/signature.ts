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

/** Whether the same is at the same place, and what shows the known one is in the request of the other. */
function isAlike(known: Signature, found: Signature): boolean {
  return (
    known.where === found.where &&
    known.kinds[0] === found.kinds[0] &&
    known.kinds[1] === found.kinds[1] &&
    known.about.every((words) => found.about.includes(words))
  );
}

/** Whether a difference is a known one, in a request that may have more in it that is not usual. */
export function covers(known: Signature, found: Signature): boolean {
  return known.operation === found.operation && isAlike(known, found);
}

/** Headers that a service sets in one place for all operations. */
const sharedHeaders = /^header (access-control-.*|content-type)$/;

/** Whether a difference is a known one, perhaps of another operation. */
export function hasSameCause(known: Signature, found: Signature): boolean {
  return covers(known, found) || (sharedHeaders.test(known.where) && isAlike(known, found));
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

/** Whether an entry with a written signature accepts a difference. */
export function accepts(written: string, found: Signature): boolean {
  const signature = writeSignature(found);
  if (!sharedHeaders.test(found.where)) return written === signature;
  return withoutOperation(written) === withoutOperation(signature);
}

function withoutOperation(written: string): string {
  return written.replace(/^\S+/, '');
}
