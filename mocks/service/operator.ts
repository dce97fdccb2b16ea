import type { Problem } from '../messages/problem.ts';

/** What whoever runs a mock should know of, by its kind. */
export type NoticeKind =
  /** A change was not kept, so its request got 507. */
  | 'not-kept'
  /** The changes of a world are kept again. */
  | 'kept-again'
  /** Another process that shares the store has taken a world. */
  | 'world-taken'
  /** A request was refused because of its key. */
  | 'key-refused'
  /** A limit of the mock is reached. */
  | 'limit';

/** Something that whoever runs a mock should know of. */
export interface Notice {
  readonly kind: NoticeKind;
  /** A sentence that shows no key. */
  readonly message: string;
  /** The key of the world that it is about, if it is about one. */
  readonly apiKey?: string;
}

/** How a mock reports to whoever runs it. Nothing is reported until a program that has such a person sets it. */
export interface Operator {
  /** Called with what they should know of. */
  tell?: (notice: Notice) => void;
  /** Whether they want to know of every request, so that what becomes known of it must not be lost. */
  logsRequests?: boolean;
}

/** Tells whoever runs the mock that a request was refused, if the reason concerns them. */
export function tellOfRefusal(
  operator: Operator,
  { code, message, refusal: { status } }: Problem,
): void {
  if (code === 'full') operator.tell?.({ kind: 'limit', message });
  if (code !== 'unauthorized') return;
  const told = `a request was refused for its key: answered ${status}`;
  operator.tell?.({ kind: 'key-refused', message: told });
}
