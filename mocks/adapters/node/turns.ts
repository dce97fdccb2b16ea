import { setImmediate } from 'node:timers';

// Kept from the start, so that a test that replaces the timers of its process later still gets answers.
const afterThisTurn = setImmediate;

/**
 * Makes what resolves in the next turn of the event loop. Answers to all that has come in one turn are
 * sent together then: to wake a client that sleeps costs more than most answers do, and to write to one
 * that is awake does not.
 */
export function createTurns(): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= new Promise((resolve) => {
      afterThisTurn(() => {
        next = undefined;
        resolve();
      });
    });
    return next;
  };
}
