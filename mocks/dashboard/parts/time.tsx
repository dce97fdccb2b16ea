import type { VNode } from 'preact';
import { exactMomentText, momentText } from '../state/words.ts';

interface TimeProps {
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether it has milliseconds. */
  readonly exact?: boolean;
}

/** A moment in the reader's words; the exact one is its title. */
export function Time({ id, at, exact = false }: TimeProps): VNode {
  const iso = new Date(at).toISOString();
  return (
    <time id={id} dateTime={iso} title={iso}>
      {exact ? exactMomentText(at) : momentText(at)}
    </time>
  );
}
