import { type EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';

/** The parts of Node's incoming request that are used. */
interface Incoming {
  readonly socket: Socket;
  /** Whether all of it has been received. */
  readonly complete: boolean;
}

/** Waits until all earlier responses on the connection have been sent. */
type AwaitTurn = (incoming: Incoming, outgoing: EventEmitter) => Promise<void>;

/**
 * Makes a function that a request waits for when it was received behind another on its connection. Node
 * dispatches all requests that a client has sent in a row, even when their responses are large and the
 * client reads none of them. So only one at a time is carried out on each connection, and no more are
 * read while any wait. What Node does: https://github.com/nodejs/node/blob/main/lib/_http_server.js
 */
export function createPipelining(): AwaitTurn {
  const lastWaiting = new WeakMap<Socket, EventEmitter>();
  return async (incoming, outgoing) => {
    const { socket } = incoming;
    // Node gives a response its socket when the earlier ones have been sent.
    const turn = once(outgoing, 'socket');
    lastWaiting.set(socket, outgoing);
    // Node resumes the socket when a request is complete, which this one becomes within this turn.
    queueMicrotask(() => socket.pause());
    await turn;
    if (lastWaiting.get(socket) !== outgoing) return;
    // Once Node has read that the client's side is closed, it closes its own, so finish first.
    if (incoming.complete) outgoing.once('finish', () => socket.resume());
    else socket.resume();
  };
}
