import { type EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';

/** Waits until the answers before one on its connection have been sent. */
type AwaitTurn = (socket: Socket, outgoing: EventEmitter) => Promise<void>;

/**
 * Makes what a request waits for that has come behind another one. Node hands over all requests that a
 * client has sent in a row, however large their answers are and whether or not anybody reads them: with
 * this, one is under way on each connection, and no more are read from it while any wait.
 */
export function createPipelining(): AwaitTurn {
  const lastWaiting = new WeakMap<Socket, EventEmitter>();
  return async (socket, outgoing) => {
    // Node gives an answer its socket when those before it are sent.
    const turn = once(outgoing, 'socket');
    lastWaiting.set(socket, outgoing);
    // Node reads on as soon as a request is complete, which this one is only after this turn.
    queueMicrotask(() => socket.pause());
    await turn;
    if (lastWaiting.get(socket) === outgoing) socket.resume();
  };
}
