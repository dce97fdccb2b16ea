import { type EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';

/** What is needed of a request that Node has received. */
interface Incoming {
  readonly socket: Socket;
  /** Whether all of it has come. */
  readonly complete: boolean;
}

/** Waits until the answers before one on its connection have been sent. */
type AwaitTurn = (incoming: Incoming, outgoing: EventEmitter) => Promise<void>;

/**
 * Makes what a request waits for that has come behind another one. Node hands over all requests that a
 * client has sent in a row, however large their answers are and whether or not anybody reads them: with
 * this, one is under way on each connection, and no more are read from it while any wait.
 */
export function createPipelining(): AwaitTurn {
  const lastWaiting = new WeakMap<Socket, EventEmitter>();
  return async (incoming, outgoing) => {
    const { socket } = incoming;
    // Node gives an answer its socket when those before it are sent.
    const turn = once(outgoing, 'socket');
    lastWaiting.set(socket, outgoing);
    // Node reads on as soon as a request is complete, which this one is only after this turn.
    queueMicrotask(() => socket.pause());
    await turn;
    if (lastWaiting.get(socket) !== outgoing) return;
    // Once Node reads that the client sends no more, it sends no more either.
    if (incoming.complete) outgoing.once('finish', () => socket.resume());
    else socket.resume();
  };
}
