import { shorten } from '../../text/phrases.ts';
import { visible } from '../../text/visible.ts';
import { Problem, type ProblemIssue } from '../messages/problem.ts';
import type { Change, Replacement } from '../state/change.ts';

/**
 * Keeps worlds beyond the end of their mock. `storeContract` in `livestream-mock/store-contract` tests whether a store
 * does what is described here.
 */
export interface Store {
  /**
   * The kept changes of a world, oldest first. Applied in this order, they give the world. Empty if nothing was
   * kept. If this rejects, or if a change is not as it was appended, clients get 503 with the reason.
   */
  open(name: string): Promise<readonly Change[]>;
  /**
   * Keeps changes of a world, oldest first, after those of earlier calls: all of them or none. It resolves once they
   * are durable, and only then are their requests answered. For one world, the next call comes after the last one has
   * settled; calls for several worlds overlap. After a call that rejected, the next one begins with the whole world.
   * Changes may be applied twice if all later ones are applied again too.
   *
   * `whole` returns the world, as it is when `whole` is called, in one change that replaces all earlier ones. The
   * latest `whole` may be called at any time. Its arrays and records do not change afterwards, so they may be written
   * in parts.
   */
  append(name: string, changes: readonly Change[], whole: () => Replacement): Promise<void>;
  /** The names of the kept worlds. */
  names(): Promise<readonly string[]>;
  /**
   * For a store that several processes use at once, each for its own worlds. `open` gives this process a world, or
   * rejects with a {@link Problem} `elsewhere` while another process has it. Every request for an open world calls
   * `hold`, which returns whether the world is still this process's own; it returns no promise if that is certain.
   * Once `hold` returns false or `append` rejects with `elsewhere`, the world is dropped, and the next request opens it
   * again.
   */
  hold?(name: string): boolean | Promise<boolean>;
  /** Forgets a world, as if it had never been kept. Without this, the kept worlds of a mock cannot end. */
  delete?(name: string): Promise<void>;
  /**
   * Called when the mock no longer has a world in memory, once all its changes are kept: the store need not have it
   * there either, and other processes may take it. Before the mock changes it again, it calls `open`.
   */
  release?(name: string): Promise<void>;
  /**
   * Resolves if the store can be used at the moment, and else rejects, within two seconds. Whoever asks for the health of
   * the mock calls it.
   */
  ping?(): Promise<void>;
  /** Calls `changed` whenever another process or tab has changed or removed the world. */
  watch?(name: string, changed: () => void): void;
}

/** The problem of a world that another process has. */
export function heldElsewhere(retryAfter: number): Problem {
  const expected = 'one that no other process has open';
  const got = 'one that is open in another process that shares the store';
  const advice = `nothing was changed; send the request again in ${retryAfter} s`;
  const headers = { 'retry-after': String(retryAfter) };
  return new Problem('elsewhere', { path: 'world', expected, got, advice, headers });
}

/** The problem of a change that a store could not save because of an exception; `outcome` says what happens to it. */
export function saveProblem(exception: unknown, outcome: string): Problem {
  if (exception instanceof Problem) return exception;
  return new Problem('not-kept', { ...failureOf('save the change', exception), advice: outcome });
}

/** The problem of what a store could not read because of an exception. */
export function readProblem(exception: unknown, task = 'read the world'): Problem {
  if (exception instanceof Problem) return exception;
  const issue = failureOf(task, exception);
  const headers = { 'retry-after': '1' };
  return new Problem('unavailable', { ...issue, advice: 'send the request again', headers });
}

function failureOf(task: string, exception: unknown): ProblemIssue {
  const got = describeException(exception);
  return { path: 'store', expected: `to ${task}`, got, failure: `could not ${task} (${got})` };
}

/**
 * The message of an exception, or its code: those of connections may have no message. It may come from a server, so it is
 * bounded and shows no control characters.
 */
export function describeException(exception: unknown): string {
  const { message, code } = Object(exception) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  return `"${visible(shorten(String(message || code || exception), 300))}"`;
}
