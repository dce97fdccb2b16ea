import { isRequest, type Move } from '../moves/move.ts';

/** A move in words, as a step of a transcript. */
export function describeMove(move: Move): string {
  if (isRequest(move)) return move.operation;
  if ('wait' in move) return `wait ${move.wait} ms`;
  if ('stop' in move) return 'the stream stops being live';
  if ('follow' in move) return 'follow the link to the next page';
  return move.seconds === undefined
    ? 'the stream goes live'
    : `the stream is live for ${move.seconds} s`;
}
