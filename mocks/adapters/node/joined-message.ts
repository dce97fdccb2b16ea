import { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers';

// Saved at the start, so that a test that replaces the timers of its process still gets bodies.
const afterThisTurn = setImmediate;

/**
 * A request that joins the chunks of its body which arrived together. A client may send each byte as a chunk of its own,
 * and what reads a body takes much longer for a chunk than for a byte.
 */
export class JoinedMessage extends IncomingMessage {
  #arrived: Uint8Array[] = [];

  /** Node calls this for each chunk, with null at the end, and stops reading from the client while it returns false. */
  override push(chunk: Uint8Array | null): boolean {
    if (chunk === null) {
      this.#pushArrived();
      return super.push(null);
    }
    if (this.#arrived.length === 0) afterThisTurn(() => this.#pushArrived());
    this.#arrived.push(chunk);
    return this.readableLength < this.readableHighWaterMark;
  }

  #pushArrived(): void {
    if (this.#arrived.length === 0) return;
    const bytes = Buffer.concat(this.#arrived);
    this.#arrived = [];
    super.push(bytes);
  }
}
